// Part of `npm run build`: converts the guides and the command reference to HTML, which the server shows. Not published.
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
      const [, file, anchor] = /^([^#]*)(#.*)?$/.exec(href)
      const content = this.parser.parseInline(tokens)
      if (file === '' || /^https:/.test(file)) return `<a href="${href}">${content}</a>`
      // Files of the repository that are no guides are not published.
      const isGuide = /^([\w-]+|\.\.\/COMMANDS)\.md$/.test(file)
      return isGuide ? `<a href="/docs/guides/${nameOf(file)}${anchor ?? ''}">${content}</a>` : content
    },
    code({ text: code }) {
      return `<pre><code>${escapeText(code)}</code></pre>\n`
    },
    // Only screenshots, which are not published.
    html: () => '',
  }
  return new Marked({ renderer }).parse(text)
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
