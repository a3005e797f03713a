/** Style of the confirm page: ring, checks and forms. */
export const style = `
.open, .closed { display: grid; gap: 1rem; }
.as-sent { display: block; margin-top: .15rem; color: var(--soft); font-size: .875rem; }
dd strong { font-size: 1.0625rem; }

.sum { display: flex; align-items: center; gap: 1rem; margin-bottom: .75rem; }
.sum p { margin: 0; color: var(--soft); font-size: .9375rem; }
.sum strong { display: block; color: var(--ink); font-size: 1.0625rem; }
.ring { flex: none; width: 7rem; height: 7rem; }
.ring circle { stroke-width: 10; stroke-linecap: round; }
.ring .track { stroke: var(--line); }
.ring .pass { stroke: var(--accent); }
.ring .partial { stroke: var(--wait); }
.ring text { text-anchor: middle; fill: var(--ink); font-family: inherit; }
.ring .total { font-size: 32px; font-weight: 700; letter-spacing: -.03em; }
.ring .of { font-size: 12px; fill: var(--soft); }

@media (prefers-reduced-motion: no-preference) {
  .ring .pass, .ring .partial { animation: fill .8s ease-out; }
  @keyframes fill { from { stroke-dasharray: 0 100; } }
}

.checks { list-style: none; margin: 0; padding: 0; }
.checks li { display: grid; grid-template-columns: auto 1fr auto; gap: .75rem; padding: .7rem 0; border-top: 1px solid var(--line); }
.checks li:last-child { padding-bottom: 0; }
.checks .detail { color: var(--soft); font-size: .9375rem; }
.points { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
.points b { color: var(--ink); font-size: 1.0625rem; }
.mark { display: grid; place-items: center; width: 1.9rem; height: 1.9rem; border-radius: 50%; background: var(--over-wash); color: var(--over); }
.mark .icon { width: 1.1rem; height: 1.1rem; stroke-width: 2.8; }
.pass .mark { background: var(--good-wash); color: var(--good); }
.partial .mark { background: var(--wait-wash); color: var(--wait); }
.fail .mark { background: var(--bad-wash); color: var(--bad); }

.proofs { display: grid; gap: 1rem; }
.proofs h2 { margin: .5rem 0 -.15rem; }
.possible-points { margin-left: auto; padding: .1rem .6rem; border-radius: 99px; background: var(--over-wash); color: var(--over); font-size: .8125rem; font-weight: 600; letter-spacing: 0; white-space: nowrap; }
.proof p { margin-bottom: .9rem; }
.proof form .icon { width: 1.15rem; height: 1.15rem; }
.simulate { margin-top: 1rem; padding-top: .9rem; border-top: 1px dashed var(--edge); }
.simulate p { margin-bottom: .5rem; color: var(--soft); font-size: .9375rem; }
.pair { display: grid; grid-template-columns: auto auto; gap: .6rem; }
.pair button { padding-inline: .5rem; font-size: .9375rem; }
.proof input[type="file"] { margin-bottom: .6rem; }
.proof .live { margin: .75rem 0 0; }
.proof input[type="file"] + .live:not(:empty) { margin: 0 0 .75rem; }
@media (max-width: 22rem) { .pair { grid-template-columns: 1fr; } }

@media (min-width: 60rem) {
  .open, .closed { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
  .open { grid-template-areas: "hero proofs" "score proofs"; grid-template-rows: auto 1fr; }
  .open .hero { grid-area: hero; }
  .open .score { grid-area: score; }
  .open .proofs { grid-area: proofs; }
  .proofs { gap: 1.25rem; }
  .proofs h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
`;
