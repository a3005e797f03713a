/**
 * The functions of Typst with which a document is written. Lengths are in points. `blocks` of a section's parts are
 * functions of the environment, which contains the page number and the number of pages.
 */
export const template = `
#set text(font: "Tinos", hyphenate: false)
#set par(leading: 0pt, spacing: 0pt)
#set block(spacing: 0pt)
#set footnote.entry(indent: 0pt, gap: 2pt)
#show footnote.entry: set text(top-edge: 0.93em, bottom-edge: -0.22em)
#show footnote.entry: set par(leading: 0pt)

#let target(name) = [#metadata(none)#label(name)]

// Links to the first drawn place with a name, if there is one.
#let jump(name, body) = context {
  let found = query(label(name))
  if found.len() == 0 { body } else { link(found.first().location(), body) }
}

// Zero-width spaces let a word that is wider than its line break anywhere.
#let split(word, width) = context if measure(word).width > width { word.clusters().join(h(0.001pt)) } else { word }

#let picture(path, width, height, alt, crop, turn) = {
  let (left, top, right, bottom) = crop
  let (angle, x, y) = turn
  let whole = (width: width / (1 - left - right), height: height / (1 - top - bottom))
  let shown = box(clip: true, width: width, height: height, place(
    dx: -left * whole.width, dy: -top * whole.height, image(path, ..whole, fit: "stretch", alt: alt),
  ))
  if turn == (0deg, 100%, 100%) { shown } else { box(rotate(angle, reflow: true, scale(x: x, y: y, shown))) }
}

// The label of a list item, after which the text starts at its indentation.
#let label-of(room, body) = context box(width: calc.max(room, measure(body).width + 4pt), body)

#let paragraph(
  above: 0pt, below: 0pt, left: 0pt, right: 0pt, first: 0pt, height: auto, size: 10pt, edges: (0.9em, -0.2em),
  alignment: std.left, justify: false, dir: ltr, sticky: false, fill: none, stroke: none, spaces: (0pt, 0pt),
  outset: 0pt, heading: none, body,
) = {
  let (top, bottom) = edges
  set text(size: size, top-edge: top, bottom-edge: bottom, dir: dir)
  set par(justify: justify)
  set align(alignment)
  let words = { if first != 0pt { h(first) }; body }
  block(
    width: 100%, height: height, above: above, below: below, sticky: sticky, fill: fill,
    inset: (left: left, top: spaces.at(0), right: right, bottom: spaces.at(1)), stroke: stroke, outset: outset,
    if heading == none { words } else {
      show std.heading: words
      std.heading(level: heading.first(), outlined: false, bookmarked: true, heading.last())
    },
  )
}

#let section(
  name, is-last: false, width: 612pt, height: 792pt, left: 72pt, top: 72pt, right: 72pt, bottom: 72pt,
  header-at: 36pt, footer-at: 36pt, headers: (:), footers: (:), has-first: false, has-even: false, start: none, body,
) = context {
  let measured(part) = measure(block(width: width - left - right, part((page: 1, pages: 1)))).height
  let tallest(parts, kinds) = calc.max(0pt, ..kinds.filter(kind => kind in parts).map(kind => measured(parts.at(kind))))
  let usual = if has-even { ("default", "even") } else { ("default",) }
  let first = if has-first { ("first",) } else { usual }
  // A header or footer that is higher than the margin pushes the text away. Part of the page is reserved for the text.
  let bottom = calc.max(bottom, calc.min(tallest(footers, usual + first) + footer-at, height * 0.4))
  let top-of(kinds) = calc.max(top, calc.min(tallest(headers, kinds) + header-at, height * 0.85 - bottom))
  let usual-top = top-of(usual)

  let part(parts) = context {
    let page = here().page()
    let begin = locate(label(name)).page()
    let number = if start == none { page } else { start + page - begin }
    let kind = if has-first and page == begin { "first" }
      else if has-even and calc.even(number) { "even" }
      else { "default" }
    if kind in parts { (parts.at(kind))((page: number, pages: locate(label("end")).page())) }
  }
  set page(
    width: width, height: height,
    margin: (left: left, right: right, top: usual-top, bottom: bottom),
    header-ascent: 0pt, footer-descent: 0pt,
    header: align(std.top, pad(top: header-at, part(headers))),
    footer: align(std.bottom, pad(bottom: footer-at, part(footers))),
  )
  target(name)
  v(top-of(first) - usual-top)
  body
  if is-last {
    target("end")
    context if here().page() > max-pages { panic("too many pages") }
  }
}
`;
