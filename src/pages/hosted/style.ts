/** Style of all hosted pages: for phones first, with two columns from 60rem. */
import { palette } from "../style.js";

export const style = `${palette}
body { min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; -webkit-text-size-adjust: 100%; }
.top, main, .foot { width: 100%; max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
.top { display: flex; align-items: center; gap: .6rem; padding-block: 1rem .9rem; }
.top img { display: block; }
.name { font-weight: 650; letter-spacing: -.01em; }
.tag { margin-left: auto; padding: .15rem .65rem; border: 1px solid var(--edge); border-radius: 99px; color: var(--soft); font-size: .8125rem; }
main { flex: 1; }
.foot { padding-block: 1.5rem 2rem; color: var(--soft); font-size: .875rem; }
.foot p { margin: 0; max-width: 38rem; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem; box-shadow: 0 1px 2px rgb(28 35 51 / .05), 0 8px 24px -16px rgb(28 35 51 / .18); }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
h1 { margin: .75rem 0 .4rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 0 0 .75rem; font-size: 1.0625rem; letter-spacing: -.01em; }
h3 { margin: 0 0 .5rem; font-size: 1.0625rem; letter-spacing: -.01em; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
.icon { width: 1.25rem; height: 1.25rem; flex: none; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.calm { --tone: var(--calm); --wash: var(--calm-wash); }
.good { --tone: var(--good); --wash: var(--good-wash); }
.wait { --tone: var(--wait); --wash: var(--wait-wash); }
.bad { --tone: var(--bad); --wash: var(--bad-wash); }
.over { --tone: var(--over); --wash: var(--over-wash); }
.hero { border-top: 5px solid var(--tone); background: linear-gradient(var(--wash), var(--card) 8rem) var(--card); }
.state { display: inline-flex; align-items: center; gap: .4rem; margin: 0; padding: .3rem .8rem .3rem .55rem; border: 1px solid; border-radius: 99px; background: var(--card); color: var(--tone); font-weight: 600; font-size: .9375rem; }
dl { margin: 1.1rem 0 0; border-top: 1px solid var(--line); }
dl div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .75rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; padding-bottom: 0; }
dt { color: var(--soft); font-size: .9375rem; }
dd { margin: 0; overflow-wrap: anywhere; }

label { display: block; margin-bottom: .35rem; font-weight: 600; }
button, input[type="file"] { width: 100%; min-height: 48px; border-radius: 12px; font: inherit; color: inherit; }
button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; padding: .6rem 1rem; border: 1px solid var(--edge); background: var(--card); font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--accent); background: var(--good-wash); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover { background: var(--accent-deep); border-color: var(--accent-deep); }
button[aria-disabled="true"] { opacity: .65; cursor: progress; }
input[type="file"] { padding: .5rem; border: 1.5px dashed var(--edge); background: var(--paper); cursor: pointer; }
input[type="file"]::file-selector-button { min-height: 36px; margin-right: .75rem; padding: 0 .9rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
[aria-invalid="true"] { border-color: var(--bad) !important; }
.live:empty { display: none; }
.live { margin: .75rem 0 0; padding: .6rem .8rem; border-radius: 10px; background: var(--calm-wash); color: var(--calm); }

.problem { margin-bottom: 1rem; border: 2px solid var(--bad); background: var(--bad-wash); }
.problem h2 { display: flex; align-items: center; gap: .5rem; margin-bottom: .35rem; color: var(--bad); font-size: 1.125rem; }
.problem p { margin-bottom: .5rem; }
.problem:focus { outline: none; }
.problem a { display: inline-flex; align-items: center; min-height: 44px; color: inherit; font-weight: 600; }
.aside { color: var(--soft); font-size: .875rem; }
.problem .aside { color: inherit; }
.aside code { overflow-wrap: anywhere; }
details.aside summary { min-height: 44px; display: flex; align-items: center; gap: .6rem; cursor: pointer; font-weight: 600; border-radius: 8px; }
details.aside summary::before { content: ""; width: .5rem; height: .5rem; margin-left: .25rem; border: solid; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
details.aside[open] summary::before { transform: rotate(45deg); }
details.aside ul { margin: 0; padding-left: 1.2rem; }
details.aside li { margin-bottom: .35rem; }
@media (prefers-color-scheme: dark) { .card { box-shadow: none; } }
@media (forced-colors: active) { .card, .state, .tag, .live { border: 1px solid; } }
`;
