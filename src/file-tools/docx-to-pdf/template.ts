/**
 * The Typst program that lays out every document. It reads the document as data, in the form of nodes.ts, so that no text
 * of a document is ever read as markup or code. Lengths in the data are points.
 */
export const template = `
#let doc = json("/document.json")
#let points(value) = value * 1pt
#let colour(value) = if value != none { rgb(value) }

#set document(
  title: if doc.title != "" { doc.title },
  author: if doc.author != "" { (doc.author,) } else { () },
  date: if doc.date != none { datetime(..doc.date) },
)
#set text(font: "Tinos", hyphenate: false)
#set par(leading: 0pt, spacing: 0pt)
#set block(spacing: 0pt)
#set footnote.entry(indent: 0pt, gap: 2pt)
#show footnote.entry: set text(top-edge: 0.93em, bottom-edge: -0.22em)
#show footnote.entry: set par(leading: 0pt)

#let looks = doc.looks.map(look => (
  ..look,
  shape: (
    font: look.font,
    size: points(look.size),
    weight: if look.bold { "bold" } else { "regular" },
    style: if look.italics { "italic" } else { "normal" },
    fill: rgb(look.color),
    tracking: points(look.spacing),
    // Keeps the order of letters in scripts that the fonts do not have.
    ..if look.font == doc.placeholder { (script: "latn") },
  ),
))

#let decorate(look, body) = {
  if look.vertical == "sup" { body = super(typographic: false, body) }
  if look.vertical == "sub" { body = sub(typographic: false, body) }
  if look.underline { body = underline(body) }
  if look.strike { body = strike(body) }
  if look.background != none {
    body = highlight(fill: rgb(look.background), top-edge: "ascender", bottom-edge: "descender", body)
  }
  text(..look.shape, body)
}

#let target(name) = [#metadata(none)#label(name)]

// Returns the first place of a name, or none if nothing that is drawn has it.
#let place-of(name) = {
  let found = query(label(name))
  if found.len() > 0 { found.first().location() }
}

#let linked(item, body) = {
  if item.link != none { link(item.link, body) }
  else if item.target != none {
    context {
      let place = place-of(item.target)
      if place == none { body } else { link(place, body) }
    }
  } else { body }
}

#let picture(item) = {
  let (width, height, frame) = item
  let whole = (width: points(width), height: points(height))
  let shown = image(item.path, ..whole, fit: "stretch", alt: item.alt)
  if frame != none {
    let full = (width: width / (1 - frame.left - frame.right), height: height / (1 - frame.top - frame.bottom))
    shown = box(clip: true, ..whole, place(
      dx: points(-frame.left * full.width),
      dy: points(-frame.top * full.height),
      image(item.path, width: points(full.width), height: points(full.height), fit: "stretch", alt: item.alt),
    ))
    let flip(flips) = if flips { -100% } else { 100% }
    shown = scale(x: flip(frame.flips-across), y: flip(frame.flips-down), shown)
    shown = rotate(frame.rotation * 1deg, reflow: true, shown)
  }
  if item.in-line { box(linked(item, box(shown))) } else { block(linked(item, box(shown))) }
}

// The environment has the function that draws blocks and, in headers and footers, the page.
#let inlines(items, env) = for item in items {
  if item.kind == "text" {
    // Spaces of no width let a word that is wider than its line break anywhere.
    let words = if item.splits { item.text.clusters().join(h(0.001pt)) } else { item.text }
    linked(item, decorate(looks.at(item.look), words))
  } else if item.kind == "break" {
    linebreak()
  } else if item.kind == "target" {
    target(item.name)
  } else if item.kind == "picture" {
    picture(item)
  } else if item.kind == "page" {
    decorate(looks.at(item.look), str(env.page))
  } else if item.kind == "pages" {
    decorate(looks.at(item.look), str(env.pages))
  } else if item.kind == "page-of" {
    linked(item, decorate(looks.at(item.look), context {
      let place = place-of(item.target)
      if place != none { str(place.page()) }
    }))
  } else if item.kind == "footnote" {
    text(..looks.at(item.look).shape, footnote({
      inlines(item.items, env)
      (env.blocks)(item.blocks, env)
    }))
  }
}

#let next-stop(paragraph, x) = {
  for stop in paragraph.tabs { if stop.at > x + 0.5 { return stop } }
  (kind: "left", leader: "", at: if x < -0.5 { 0 } else { (calc.floor((x + 0.5) / 36) + 1) * 36 })
}

#let tab(look, leader, width) = text(size: points(look.size), box(
  width: points(width),
  stroke: if look.underline { (bottom: 0.05em + rgb(look.color)) },
  outset: (bottom: 0.12em),
  if leader != "" and width > 12 { decorate((..look, underline: false), align(center, repeat(leader))) },
))

// Draws lines whose parts start at tab stops.
#let tabbed(paragraph, env) = context {
  let x = paragraph.first
  for (number, line) in paragraph.lines.enumerate() {
    if number > 0 { linebreak() }
    for part in line {
      let body = [#inlines(part.items, env)]
      let width = measure(body).width / 1pt
      if part.look != none {
        let stop = next-stop(paragraph, x)
        let at = stop.at
        // The tab stop of a table of contents may be slightly beyond the end of the line.
        if stop.kind == "right" { at = calc.min(at, calc.max(paragraph.width - 0.1, x)) - width }
        if stop.kind == "center" { at -= width / 2 }
        let gap = calc.max(3, at - x)
        tab(looks.at(part.look), stop.leader, gap)
        x += gap
      }
      body
      x += width
      if x > paragraph.width { x = calc.rem(x, paragraph.width) }
    }
    x = 0
  }
}

#let paragraph(it, env) = {
  let words = {
    if it.first != 0 { h(points(it.first)) }
    if it.lines == none { inlines(it.items, env) } else { tabbed(it, env) }
  }
  let unit = if it.line.is-exact { 1pt } else { 1em }
  set text(
    size: points(it.size),
    top-edge: it.line.top * unit,
    bottom-edge: -it.line.bottom * unit,
    dir: if it.right-to-left { rtl } else { ltr },
  )
  set par(justify: it.align == "justify")
  set align((left: left, right: right, center: center, justify: if it.right-to-left { right } else { left }).at(it.align))
  let rule(side) = if it.rules.at(side) != none { 0.75pt + rgb(it.rules.at(side)) }
  let room(side) = if it.rules.at(side) != none { 2pt } else { 0pt }
  block(
    width: 100%,
    height: if it.height != none { points(it.height) } else { auto },
    above: points(it.above),
    below: points(it.below),
    sticky: it.is-sticky,
    inset: (left: points(it.left), right: points(it.right), top: room("top"), bottom: room("bottom")),
    fill: colour(it.fill),
    stroke: (top: rule("top"), bottom: rule("bottom")),
    {
      for name in it.targets { target(name) }
      if it.heading == none { words } else {
        show heading: words
        heading(level: it.heading.level, outlined: false, bookmarked: true, it.heading.title)
      }
    },
  )
}

#let draw-table(it, env) = {
  let edge(line) = if line == none { none } else { points(line.width) + rgb(line.color) }
  let cells(rows) = for row in rows {
    for cell in row.cells {
      (table.cell(
        x: cell.x, y: row.y, colspan: cell.columns, rowspan: cell.rows,
        fill: colour(cell.fill),
        align: (top: top, center: horizon, bottom: bottom).at(cell.align) + left,
        stroke: (left: edge(cell.left), top: edge(cell.top), right: edge(cell.right), bottom: edge(cell.bottom)),
        [#(env.blocks)(cell.blocks, env)],
      ),)
    }
    // A cell of no width gives the row its minimum height.
    if row.height > 0 {
      (table.cell(x: it.columns.len(), y: row.y, inset: 0pt, block(height: points(row.height))),)
    }
  }
  pad(left: points(it.left), table(
    columns: (..it.columns.map(points), 0pt),
    stroke: none,
    inset: it.padding.pairs().map(((side, value)) => (side, points(value))).to-dict(),
    ..if it.headers > 0 { (table.header(..cells(it.rows.slice(0, it.headers))),) },
    ..cells(it.rows.slice(it.headers)),
  ))
}

#let blocks(list, env) = for it in list {
  if it.kind == "paragraph" { paragraph(it, env) }
  else if it.kind == "table" { draw-table(it, env) }
  else if it.kind == "page-break" { pagebreak() }
  else if it.kind == "rule" { block(above: 12pt, below: 4pt, line(length: 144pt, stroke: 0.5pt)) }
}

#let draw-section(section) = context {
  let height(part) = {
    let width = section.width - section.left - section.right
    let drawn = blocks(part, (blocks: blocks, page: 1, pages: 1))
    if part.len() == 0 { 0 } else { measure(block(width: points(width), drawn)).height / 1pt }
  }
  let tallest(parts, kinds) = calc.max(0, ..kinds.map(kind => height(parts.at(kind, default: ()))))
  let usual = if doc.has-even-pages { ("default", "even") } else { ("default",) }
  let first = if section.has-first-page { ("first",) } else { usual }
  // A header or footer higher than the margin pushes the text away. The text keeps a part of the page.
  let bottom-margin = calc.max(
    section.bottom,
    calc.min(tallest(section.footers, usual + first) + section.footer-at, section.height * 0.4),
  )
  let highest-top = section.height * 0.85 - bottom-margin
  let top-of(kinds) = calc.max(section.top, calc.min(tallest(section.headers, kinds) + section.header-at, highest-top))
  let top-margin = top-of(usual)

  let part(parts) = context {
    let page = here().page()
    let start = locate(label(section.name)).page()
    let number = if section.start == none { page } else { section.start + page - start }
    let kind = if section.has-first-page and page == start { "first" }
      else if doc.has-even-pages and calc.even(number) { "even" }
      else { "default" }
    let pages = locate(label("end")).page()
    blocks(parts.at(kind, default: ()), (blocks: blocks, page: number, pages: pages))
  }
  set page(
    width: points(section.width),
    height: points(section.height),
    margin: (
      left: points(section.left), right: points(section.right),
      top: points(top-margin), bottom: points(bottom-margin),
    ),
    header-ascent: 0pt,
    footer-descent: 0pt,
    header: align(top, pad(top: points(section.header-at), part(section.headers))),
    footer: align(bottom, pad(bottom: points(section.footer-at), part(section.footers))),
  )
  target(section.name)
  v(points(calc.max(0, top-of(first) - top-margin)))
  blocks(section.blocks, (blocks: blocks))
  if section.name == doc.sections.last().name {
    target("end")
    context if here().page() > doc.max-pages { panic("too many pages") }
  }
}

#for section in doc.sections { draw-section(section) }
`;
