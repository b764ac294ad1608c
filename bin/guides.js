// Converts the guides and the command reference to HTML for the server. The file is not published.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked } from 'marked'

/** Returns the guides below a folder with their names, titles and HTML, sorted by name; the command reference is last. */
export function renderGuides(root) {
  const files = [...globSync('.github/guides/*.md', { cwd: root }).sort(), '.github/COMMANDS.md']
  return files.map((file) => {
    const [, title, text] = /^# ([^\n]*)\n(.*)$/s.exec(readFileSync(join(root, file), 'utf8'))
    return { name: nameOf(file), title: title.replaceAll('`', ''), html: renderMarkdown(text) }
  })
}

function nameOf(file) {
  return basename(file, '.md').toLowerCase()
}

function renderMarkdown(text) {
  const anchors = new Map()
  const renderer = {
    heading({ tokens, depth, text: title }) {
      const anchor = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')
      const count = anchors.get(anchor) ?? 0
      anchors.set(anchor, count + 1)
      const id = count === 0 ? anchor : `${anchor}-${count}`
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      if (/^(#|https:)/.test(href)) return false
      const [file, anchor] = href.split('#')
      const content = this.parser.parseInline(tokens)
      // Other files of the repository are not published.
      const isGuide = /^([\w-]+|\.\.\/COMMANDS)\.md$/.test(file)
      const target = `/docs/guides/${nameOf(file)}${anchor ? `#${anchor}` : ''}`
      return isGuide ? `<a href="${target}">${content}</a>` : content
    },
    // Every image is a screenshot, and screenshots are not published.
    html: () => '',
  }
  const markup = new Marked({ renderer }).parse(text)
  // A wide table scrolls by itself. The focus lets keyboards scroll the table.
  return markup
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}
