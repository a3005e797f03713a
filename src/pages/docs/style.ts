/** Style of /docs/values and /docs/assumptions. */
export const style = `
html { scroll-padding-top: 1rem; }
h2 { margin: 3rem 0 .25rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.35rem; letter-spacing: -.01em; }
h3 { margin: 0 0 .35rem; font-size: 1.05rem; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover, h3 a:focus-visible { color: var(--accent); text-decoration: underline; }
h4 { margin: 1rem 0 .4rem; font-size: .875rem; color: var(--soft); }
ol { padding-left: 1.4rem; }
li { margin-bottom: .2rem; }
code { overflow-wrap: anywhere; }
:target { scroll-margin-top: 1rem; }
h2:target, h3:target a { color: var(--accent); }
.entry { margin: 1.25rem 0 0; padding: 1.1rem 1.2rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.entry > :last-child { margin-bottom: 0; }
.entry dl { grid-template-columns: minmax(11rem, max-content) 1fr; margin-bottom: .75rem; }
.entry dt { color: var(--ink); overflow-wrap: anywhere; }
.entry dd { color: var(--soft); }
.entry dd code { color: var(--ink); }
.entry p { margin-bottom: .75rem; }
.question { font-weight: 600; }
.reason, .fixed, .common { color: var(--soft); font-size: .9375rem; }
.answer ul { margin: 0 0 .75rem; }
.mark { display: inline-block; margin-left: .25rem; padding: 0 .5rem; border-radius: 99px; background: var(--good-wash); color: var(--good); font-size: .8125rem; font-weight: 600; }
@media (max-width: 34rem) {
  .entry { padding: 1rem; }
  .entry dl { grid-template-columns: 1fr; }
}
`;
