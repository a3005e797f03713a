/** Makes swagger-ui look like the other pages and fit a phone. It is loaded after the style of swagger-ui. */
export const style = `
main { max-width: 72rem; }
h2 { margin-bottom: .75rem; font-size: 1.35rem; }
#reference-status:empty { display: none; }

/* Undo the rules of the other pages for these elements. */
:where(.swagger-ui) :is(code, pre) { padding: 0; border: 0; border-radius: 0; background: none; font-size: inherit; }
:where(.swagger-ui) dl { display: block; }
.swagger-ui main { max-width: none; padding: 0; }
html.dark-mode { background: var(--paper); }
.swagger-ui, html.dark-mode .swagger-ui { background: none; color: var(--ink); }
.swagger-ui :is(a.nostyle, .opblock-tag, .markdown p), html.dark-mode .swagger-ui :is(a.nostyle, .opblock-tag, .markdown p) { color: var(--ink); }

.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui .wrapper > section { padding: 0; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { margin: 0 0 1rem; padding: 0; background: none; box-shadow: none; }
/* There is only one server. */
.swagger-ui .scheme-container .schemes .schemes-server-container { display: none; }
.swagger-ui .opblock-tag { padding-inline: 0; font-size: 1.2rem; }
.swagger-ui .opblock-tag small { padding-left: .75rem; }
.swagger-ui .btn.authorize { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }

/* White text on these colours has a contrast of at least 4.5. */
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b6e4f; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #2b4c8c; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #7d4f00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b66; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a4262c; }
.swagger-ui .btn.execute { background: #2b4c8c; border-color: #2b4c8c; }

.swagger-ui :is(.microlight, .curl, .body-param__text, .opblock-body pre) { white-space: pre-wrap; overflow-wrap: anywhere; }
/* swagger-ui sets the opposite in style attributes. */
.swagger-ui .curl-command :is(pre, code, span) { white-space: pre-wrap !important; overflow-wrap: anywhere; }
.swagger-ui :is(.link, .opblock-summary-path, .opblock-summary-description, .markdown, .response-col_description) { overflow-wrap: anywhere; }
.swagger-ui :is(select, input, textarea) { max-width: 100%; }
@media (max-width: 40rem) {
  main { padding-inline: .75rem; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding-left: 0; order: 1; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem; padding-inline: .5rem; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; padding: .5rem .75rem; }
  .swagger-ui :is(.opblock-description-wrapper, .opblock-external-docs-wrapper, .responses-inner, .table-container, .body-param-options) { padding: .75rem; }
  .swagger-ui table, .swagger-ui tbody, .swagger-ui tr, .swagger-ui td { display: block; width: 100%; max-width: none; }
  .swagger-ui thead, .swagger-ui .response-col_links { display: none; }
  .swagger-ui table tbody tr td, .swagger-ui table tbody tr td:first-of-type { min-width: 0; max-width: none; padding: .4rem 0; }
}
`;
