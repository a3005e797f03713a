export const style = `
:root { color-scheme: light dark; --ink: #1c2333; --paper: #fbfaf7; --line: #dcd8cf; --accent: #0b6e4f; --code: #f1efe9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #14171f; --line: #323846; --accent: #5fd3a8; --code: #1e2330; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; margin: 0 0 .25rem; letter-spacing: -.02em; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.25rem; margin: 0 0 1rem; }
dt { opacity: .75; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--code); border-radius: 4px; }
code { padding: .1em .35em; }
pre { padding: .9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); }
pre code { padding: 0; }
ul { padding-left: 1.2rem; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
`;
