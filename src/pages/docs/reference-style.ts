/** Style of the reference: its list of operations, and swagger-ui inside an opened one. */
const list = `
main { max-width: 64rem; padding-top: 1.75rem; }
h2 { margin: 2rem 0 0; font-size: 1.15rem; letter-spacing: -.01em; }
h2 + .description { margin: 0 0 .6rem; color: var(--soft); font-size: .9375rem; }
[hidden] { display: none !important; }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 -.5rem; padding: .6rem .5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.tools label { display: flex; align-items: center; gap: .5rem; flex: 1 1 14rem; color: var(--soft); font-size: .875rem; }
.tools input { flex: 1; min-width: 0; padding: .4rem .65rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; font-size: .9375rem; }
.tools #key { font-family: ui-monospace, monospace; font-size: .875rem; }
.tools p { min-width: 7rem; margin: 0; color: var(--soft); font-size: .875rem; text-align: right; font-variant-numeric: tabular-nums; }
.operation { border: 1px solid var(--line); border-bottom-width: 0; background: var(--card); }
.description + .operation { border-radius: 10px 10px 0 0; }
.operation:last-child { border-bottom-width: 1px; border-radius: 0 0 10px 10px; }
.description + .operation:last-child { border-radius: 10px; }
.operation, .operation > summary { scroll-margin-top: 4.5rem; }
.operation > summary { display: grid; grid-template-columns: 4.25rem minmax(24rem, max-content) 1fr; align-items: baseline; gap: .75rem; padding: .5rem .9rem; list-style: none; cursor: pointer; }
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary:hover { background: var(--code); }
.operation[open] > summary { background: var(--code); border-bottom: 1px solid var(--line); }
.operation > summary code { padding: 0; background: none; color: var(--ink); overflow-wrap: anywhere; }
.operation > summary:focus-visible { outline-offset: -3px; }
.about { color: var(--soft); font-size: .9375rem; }
.method { font: 700 .75rem/1.6 ui-monospace, monospace; letter-spacing: .03em; color: var(--over); }
.method.get { color: var(--calm); }
.method.post { color: var(--good); }
.method.put, .method.patch { color: var(--wait); }
.method.delete { color: var(--bad); }
.body { padding: .9rem; overflow-wrap: anywhere; }
.body > p { margin: 0; color: var(--soft); }
.errors { margin-top: 1rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.errors h3 { margin: 0; padding: .5rem .75rem; font-size: .875rem; background: var(--code); }
.error { border-top: 1px solid var(--line); }
.error > summary { padding: .3rem .75rem; font-size: .875rem; color: var(--soft); cursor: pointer; }
.error > summary code { color: var(--ink); background: none; }
.error .status { display: inline-block; min-width: 1.75rem; color: var(--bad); font-weight: 600; font-variant-numeric: tabular-nums; }
.error > pre { margin: 0 .75rem .75rem; padding: .6rem .75rem; font-size: .8125rem; }
.shared > .error { margin-left: .75rem; }
@media (max-width: 56rem) {
  main { padding-inline: .75rem; }
  .operation > summary { grid-template-columns: 3.25rem 1fr; gap: .1rem .5rem; }
  .about { grid-column: 2; }
  .tools { position: static; }
  .tools p { text-align: left; }
}
`;

/** The style of swagger-ui is loaded later and stands before this one. */
const inside = `
:where(.swagger-ui) :is(code, pre) { padding: 0; border: 0; border-radius: 0; background: none; font-size: inherit; }
:where(.swagger-ui) dl { display: block; }
html.dark-mode { background: var(--paper); }
.swagger-ui, html.dark-mode .swagger-ui { background: none; color: var(--ink); font-family: inherit; }
.swagger-ui :is(.markdown p, .opblock-description-wrapper p), html.dark-mode .swagger-ui .markdown p { color: var(--ink); font-size: .9375rem; }
.swagger-ui .wrapper { max-width: none; padding: 0; }
/* swagger-ui has a colour for each method. */
.swagger-ui :is(.opblock, .opblock-section-header) { background: none !important; box-shadow: none !important; }
.swagger-ui .opblock { margin: 0; border: 0; }
.swagger-ui .opblock .opblock-section-header { min-height: 0; padding: .4rem 0; border-bottom: 1px solid var(--line); }
.swagger-ui .opblock .tab-header .tab-item.active h4 span::after { display: none; }
.swagger-ui :is(.opblock-description-wrapper, .opblock-external-docs-wrapper, .responses-inner, .table-container, .body-param-options) { margin: 0; padding: .5rem 0; }
.swagger-ui .opblock-description-wrapper p { margin: 0; }
.swagger-ui .opblock-external-docs-wrapper h4, .swagger-ui .opblock-external-docs__description, .swagger-ui .response-controls small, .swagger-ui .request-url { display: none; }
/* Where an operation has no parameters, it says so. */
.swagger-ui :is(.opblock-section-header:has(+ .parameters-container > .opblock-description-wrapper), .parameters-container:has(> .opblock-description-wrapper)) { display: none; }
.swagger-ui .btn-group { padding: .5rem 0; }
.swagger-ui .btn-group .btn { flex: none; min-width: 7rem; padding-inline: 1rem; }
.swagger-ui .btn.execute { background: #2b4c8c; border-color: #2b4c8c; color: #ffffff; }
/* It is always on. */
.swagger-ui .try-out { display: none; }
.swagger-ui textarea { min-height: 0; height: 9rem; border: 1px solid var(--edge); }
.swagger-ui :is(select, input, textarea) { max-width: 100%; }
.swagger-ui table tbody tr td { padding: .4rem .75rem .4rem 0; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui :is(.microlight, .curl, .body-param__text, .opblock-body pre) { white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .highlight-code > .microlight { max-height: 22rem; }
/* swagger-ui sets the opposite in style attributes. */
.swagger-ui .curl-command :is(pre, code, span) { white-space: pre-wrap !important; overflow-wrap: anywhere; }
.swagger-ui :is(.link, .markdown, .response-col_description) { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; }
  .swagger-ui table, .swagger-ui tbody, .swagger-ui tr, .swagger-ui td { display: block; width: 100%; max-width: none; }
  .swagger-ui thead { display: none; }
  .swagger-ui table tbody tr td, .swagger-ui table tbody tr td:first-of-type { min-width: 0; max-width: none; padding: .4rem 0; }
}
`;

export const style = `${list}${inside}`;
