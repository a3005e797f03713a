/** Colours and fonts of all pages, and the style of the start page. Text has a contrast of at least 4.5 in both colour schemes. */
export const palette = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1c2333; --soft: #545b6b; --line: #dcd8cf; --edge: #858a96; --code: #f1efe9;
  --accent: #0b6e4f; --on-accent: #ffffff; --accent-deep: #08553d;
  --calm: #2b4c8c; --calm-wash: #e9eff9; --good: #0b6e4f; --good-wash: #e3f3ec;
  --wait: #7d4f00; --wait-wash: #fdf1d8; --bad: #a4262c; --bad-wash: #fcebea; --over: #545b6b; --over-wash: #efede8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171f; --card: #1b202b; --ink: #ece9e3; --soft: #aab1c0; --line: #323846; --edge: #788094; --code: #1e2330;
    --accent: #5fd3a8; --on-accent: #0b2119; --accent-deep: #86e2c1;
    --calm: #a9c4f5; --calm-wash: #22304b; --good: #6ddbb1; --good-wash: #17382d;
    --wait: #f0c46c; --wait-wash: #3a2e15; --bad: #ffa29c; --bad-wash: #43211f; --over: #aab1c0; --over-wash: #2a303d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`;

/** Navigation of the start page and the docs. */
const navigation = `
.site { border-bottom: 1px solid var(--line); background: var(--card); }
.site { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.25rem; padding: 0 1rem; font-size: .9375rem; }
.brand { display: flex; align-items: center; gap: .55rem; padding: .5rem 0; font-weight: 650; letter-spacing: -.01em; }
.site ul { margin: 0; padding: 0; }
.site ul, .contents ul { display: flex; flex-wrap: wrap; list-style: none; }
.site li, .contents li { margin: 0; }
.site a { display: block; padding: .75rem; border-bottom: 3px solid transparent; color: var(--soft); text-decoration: none; }
.site a:hover { color: var(--accent); }
.site a[aria-current] { border-color: var(--accent); color: var(--ink); font-weight: 600; }
.contents ul { gap: .5rem; margin: 0 0 1.25rem; padding: 0; }
.contents a { display: block; padding: .3rem .8rem; border: 1px solid var(--edge); border-radius: 99px; background: var(--card); text-decoration: none; }
.contents a:hover { border-color: var(--accent); background: var(--good-wash); }
.contents a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.skip { position: absolute; left: .5rem; top: .5rem; padding: .5rem .9rem; background: var(--card); clip-path: inset(50%); }
.skip:focus { clip-path: none; }
main:focus { outline: none; }
@media (max-width: 30rem) { .site a { padding-inline: .4rem; font-size: .875rem; } }
`;

export const style = `${palette}
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; margin: 0 0 .25rem; letter-spacing: -.02em; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.25rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--code); border-radius: 4px; }
code { padding: .1em .35em; }
pre { padding: .9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); }
pre code { padding: 0; }
ul { padding-left: 1.2rem; }
.sign-in { display: grid; gap: .5rem; max-width: 24rem; margin: 1.5rem 0; }
.sign-in label { font-weight: 600; }
.sign-in input, .sign-in button { font: inherit; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: 6px; }
.sign-in input { background: var(--card); color: var(--ink); }
.sign-in button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
.sign-in p { margin: 0; color: var(--bad); }
${navigation}
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
