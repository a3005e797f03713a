/** Style of the checkout: amount, card form, receipt, and the sandbox panel beside them. */
export const style = `
.desk { display: grid; gap: 1.25rem; }
.amount { margin: 0 0 1rem; font-size: clamp(2.1rem, 10vw, 2.75rem); line-height: 1.15; font-weight: 700; letter-spacing: -.025em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1 + .amount { margin-top: -.15rem; }
h1 { margin-bottom: .4rem; font-size: 1.5rem; overflow-wrap: anywhere; }
.digits { font-variant-numeric: tabular-nums; letter-spacing: .03em; white-space: nowrap; }

.card-form { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: .5rem; }
.field { margin-bottom: .9rem; }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: .75rem; }
.two .field { display: grid; grid-row: span 3; grid-template-rows: subgrid; align-content: start; }
.two label { align-self: end; }
.hint { color: var(--soft); font-weight: 400; font-size: .875rem; white-space: nowrap; }
input[type="text"] { width: 100%; min-height: 50px; padding: .5rem .9rem; border: 1px solid var(--edge); border-radius: 12px; background: var(--paper); color: inherit; font: inherit; font-size: 1.0625rem; letter-spacing: .03em; font-variant-numeric: tabular-nums; }
input[type="text"]:focus-visible { outline-offset: 0; border-color: var(--accent); }
input[aria-invalid="true"] { border-width: 2px; }
.box { position: relative; }
.box .icon { position: absolute; right: .9rem; top: calc(50% - .625rem); color: var(--edge); pointer-events: none; }
.box .icon + input { padding-right: 2.75rem; }
.field-error { margin: .35rem 0 0; color: var(--bad); font-size: .9375rem; }
.field-error:empty { display: none; }
.card-form button { min-height: 54px; margin-top: .25rem; font-size: 1.0625rem; }
.warning { display: flex; gap: .5rem; align-items: center; justify-content: center; margin: .9rem 0 0; color: var(--soft); font-size: .875rem; }
.warning .icon { width: 1.05rem; height: 1.05rem; }
.problem ul { margin: 0 0 .25rem; padding-left: 1.2rem; }

.answer { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.25rem; }
.answer button { min-height: 54px; }
.answer .icon { width: 1.15rem; height: 1.15rem; stroke-width: 2.6; }
.instead { margin: .5rem 0 -.5rem !important; text-align: center; }
.instead a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 .75rem; }
.notice { margin-bottom: 1rem; border: 2px solid var(--good); background: var(--good-wash); }
.notice h2 { display: flex; align-items: center; gap: .5rem; margin-bottom: .35rem; color: var(--good); font-size: 1.125rem; }
.notice p { margin-bottom: .25rem; }
.notice .aside { color: inherit; }
.notice:focus { outline: none; }

.paid { padding-top: 1.75rem; text-align: center; }
.paid dl { border-top: 1.5px dashed var(--edge); text-align: left; }
.seal { display: block; margin: 0 auto .9rem; }
.seal circle { stroke: var(--tone); stroke-width: 3; }
.seal path { stroke: var(--tone); stroke-width: 5; }
@media (prefers-reduced-motion: no-preference) {
  .seal * { stroke-dasharray: 100; animation: draw .5s ease-out backwards; }
  .seal path { animation-delay: .35s; }
  @keyframes draw { from { stroke-dashoffset: 100; } }
}

.sandbox { padding: 1.15rem 1.25rem 1.25rem; border: 1.5px dashed var(--edge); border-radius: 16px; font-size: .9375rem; }
.sandbox > :last-child { margin-bottom: 0; }
.badge { display: inline-flex; align-items: center; gap: .4rem; margin: 0 0 .75rem; padding: .15rem .7rem .15rem .5rem; border-radius: 99px; background: var(--over-wash); color: var(--over); font-size: .8125rem; font-weight: 600; }
.badge .icon { width: 1rem; height: 1rem; }
.sandbox p:not(.badge) { color: var(--soft); }
.sandbox ul:not(.cards) { margin: 0; padding-left: 1.2rem; color: var(--soft); }
.sandbox h2 { margin-bottom: .35rem; }
.cards { display: grid; gap: .5rem; margin: 0; padding: 0; list-style: none; }
.cards a { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .75rem; align-items: center; min-height: 56px; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: inherit; text-decoration: none; }
.cards a:hover { border-color: var(--accent); }
.cards a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.cards strong, .cards .digits { display: block; line-height: 1.4; }
.cards .digits { white-space: normal; color: var(--soft); font-size: .875rem; }
.chosen { display: grid; place-items: center; width: 1.4rem; height: 1.4rem; border: 1.5px solid var(--edge); border-radius: 50%; color: var(--on-accent); }
.chosen .icon { width: .9rem; height: .9rem; stroke-width: 3.2; visibility: hidden; }
[aria-current] .chosen { border-color: var(--accent); background: var(--accent); }
[aria-current] .chosen .icon { visibility: visible; }
.mark { display: grid; place-items: center; width: 2.6rem; height: 1.8rem; border-radius: 6px; background: var(--wash); color: var(--tone); }
.mark .icon { width: 1.1rem; height: 1.1rem; stroke-width: 2.6; }

@media (max-width: 22rem) {
  .two, .answer { grid-template-columns: 1fr; gap: 0; }
  .two .field { display: block; }
  .answer { gap: .6rem; }
  .sandbox { padding-inline: .8rem; }
  .cards a { gap: .55rem; padding-inline: .55rem; }
  .cards .digits { letter-spacing: 0; }
}
@media (min-width: 60rem) {
  .desk { grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: 1.5rem; align-items: start; }
  .desk .hero { padding: 1.75rem; }
  .desk .paid { padding-top: 2.25rem; }
  .sandbox { position: sticky; top: 1.25rem; }
}
@media (forced-colors: active) { .mark, .badge { border: 1px solid; } }
@media print { .top, .foot, .sandbox, .notice { display: none; } }
`;
