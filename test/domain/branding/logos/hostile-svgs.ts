/** The host of every hostile reference; no output and no request may contain it. */
export const EVIL = 'evil.test'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Returns an SVG image with the given content. */
export function svg(content: string, attributes = ''): string {
  return `<svg ${NS} viewBox="0 0 10 10"${attributes}>${content}</svg>`
}

const RUN = `fetch('//${EVIL}')`
const URL_EVIL = `https://${EVIL}/x`

/** Hostile images: the expected part of the error, or null when the hostile part is dropped. */
export const HOSTILE_SVGS: readonly (readonly [name: string, image: string, error: string | null])[] = [
  ['script', svg(`<script>${RUN}</script>`), 'the element <script>'],
  ['script with CDATA', svg(`<script><![CDATA[${RUN}]]></script>`), 'the element <script>'],
  ['script in capitals', svg(`<SCRIPT>${RUN}</SCRIPT>`), 'the element <SCRIPT>'],
  ['script with source', svg(`<script href="${URL_EVIL}"/>`), 'the element <script>'],
  ['nested script', svg(`<g><g><script>${RUN}</script></g></g>`), 'the element <script>'],
  [
    'script with prefix',
    `<svg ${NS} xmlns:s="http://www.w3.org/2000/svg"><s:script>${RUN}</s:script></svg>`,
    'the element <s:script>',
  ],
  [
    'HTML script',
    svg(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">${RUN}</h:script>`),
    'the element <h:script>',
  ],
  [
    'prefix under another name',
    `<svg ${NS} xmlns:q="http://www.w3.org/2000/svg"><q:rect onload="${RUN}"/></svg>`,
    null,
  ],
  [
    'foreign object',
    svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="${RUN}"/></foreignObject>`),
    'the element <foreignObject>',
  ],
  ['HTML iframe', svg(`<iframe src="${URL_EVIL}"/>`), 'the element <iframe>'],
  ['embed', svg(`<embed src="${URL_EVIL}"/>`), 'the element <embed>'],
  ['object', svg(`<object data="${URL_EVIL}"/>`), 'the element <object>'],
  ['video', svg(`<video src="${URL_EVIL}"/>`), 'the element <video>'],
  ['audio', svg(`<audio src="${URL_EVIL}"/>`), 'the element <audio>'],
  ['handler element', svg(`<handler>${RUN}</handler>`), 'the element <handler>'],
  ['HTML link', svg(`<link rel="stylesheet" href="${URL_EVIL}"/>`), 'the element <link>'],
  ['HTML base', svg(`<base href="${URL_EVIL}"/>`), 'the element <base>'],
  ['HTML meta', svg(`<meta http-equiv="refresh" content="0;url=${URL_EVIL}"/>`), 'the element <meta>'],
  ['onload on the root', svg('', ` onload="${RUN}"`), 'the event handler onload'],
  ['onclick', svg(`<rect onclick="${RUN}"/>`), 'the event handler onclick'],
  ['handler in capitals', svg(`<rect ONLOAD="${RUN}"/>`), 'the event handler ONLOAD'],
  ['handler with prefix', svg(`<rect xlink:onload="${RUN}"/>`), 'the event handler xlink:onload'],
  ['unknown handler', svg(`<rect onfuture="${RUN}"/>`), 'the event handler onfuture'],
  ['handler with entities', svg(`<rect onload="&#102;etch('//${EVIL}')"/>`), 'the event handler onload'],
  ['link', svg(`<a href="javascript:${RUN}"><rect/></a>`), 'the element <a>'],
  ['link with xlink', svg(`<a xlink:href="javascript:${RUN}"><rect/></a>`), 'the element <a>'],
  ['external image', svg(`<image href="${URL_EVIL}"/>`), 'the element <image>'],
  ['embedded image', svg('<image href="data:image/svg+xml,x"/>'), 'the element <image>'],
  ['filter image', svg(`<filter><feImage href="${URL_EVIL}"/></filter>`), null],
  ['feImage alone', svg(`<feImage href="${URL_EVIL}"/>`), 'the element <feImage>'],
  ['external use', svg(`<use href="${URL_EVIL}#a"/>`), 'an external resource in href'],
  ['external use with xlink', svg(`<use xlink:href="${URL_EVIL}#a"/>`), 'an external resource in xlink:href'],
  ['use of a data URL', svg('<use href="data:image/svg+xml,x#a"/>'), 'an external resource in href'],
  ['use of a script URL', svg(`<use href="javascript:${RUN}"/>`), 'an external resource in href'],
  ['external gradient', svg(`<linearGradient href="//${EVIL}/x#a"/>`), 'an external resource in href'],
  ['fill from outside', svg(`<rect fill="url(${URL_EVIL}#a)"/>`), 'an external resource in fill'],
  ['fill in quotes', svg(`<rect fill="url('${URL_EVIL}#a')"/>`), 'an external resource in fill'],
  ['fill in capitals', svg(`<rect fill="URL(${URL_EVIL}#a)"/>`), 'an external resource in fill'],
  ['fill with spaces', svg(`<rect fill="url( &quot;//${EVIL}&quot; )"/>`), 'an external resource in fill'],
  ['mask from outside', svg(`<rect mask="url(//${EVIL}#m)"/>`), 'an external resource in mask'],
  ['two masks', svg(`<rect mask="url(#m), url(//${EVIL}#m)"/>`), 'an external resource in mask'],
  ['escaped url', svg(`<rect fill="\\75rl(//${EVIL})"/>`), 'calls the function 75rl()'],
  ['image set', svg(`<rect fill="image-set('//${EVIL}' 1x)"/>`), 'calls the function image-set()'],
  ['style from outside', svg(`<rect style="fill:url(${URL_EVIL})"/>`), 'an external resource in fill'],
  [
    'background in a style',
    svg(`<rect style="background:url(${URL_EVIL})"/>`),
    "an external resource in 'background",
  ],
  ['escape in a style', svg(`<rect style="fill:u\\72l(//${EVIL})"/>`), 'a backslash in CSS'],
  ['comment in a style', svg(`<rect style="fill:u/**/rl(//${EVIL})"/>`), 'calls the function rl()'],
  ['import', svg(`<style>@import "${URL_EVIL}";</style>`), 'the CSS rule @import'],
  ['import in CDATA', svg(`<style><![CDATA[@import url(${URL_EVIL});]]></style>`), 'the CSS rule @import'],
  [
    'import after a comment',
    svg(`<style>/* */@im/**/port "${URL_EVIL}"; rect{}</style>`),
    'the CSS rule @im',
  ],
  ['font face', svg(`<style>@font-face{src:url(${URL_EVIL})}</style>`), 'the CSS rule @font-face'],
  ['url in a rule', svg(`<style>rect{fill:url(${URL_EVIL})}</style><rect/>`), 'an external resource in fill'],
  [
    'attribute selector',
    svg(`<style>[id^="a"]{background:url(${URL_EVIL})}</style>`),
    'an external resource in',
  ],
  ['end of the style', svg(`<style>a{}&lt;/style>&lt;script></style>`), 'invalid CSS'],
  [
    'style sheet instruction',
    `<?xml version="1.0"?><?xml-stylesheet href="${URL_EVIL}"?>${svg('')}`,
    'the processing instruction <?xml-stylesheet',
  ],
  [
    'external entity',
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
    'a document type with entities',
  ],
  [
    'entity bomb',
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg('<text>&b;</text>')}`,
    'a document type with entities',
  ],
  [
    'external document type',
    `<!DOCTYPE svg SYSTEM "${URL_EVIL}">${svg('')}`,
    'a document type with entities',
  ],
  ['unknown entity', svg('<text>&xxe;</text>'), "the entity '&xxe;'"],
  [
    'animated reference',
    svg(`<use><animate attributeName="href" to="//${EVIL}"/></use>`),
    'the element <animate>',
  ],
  ['set', svg(`<rect><set attributeName="onclick" to="${RUN}"/></rect>`), 'the element <set>'],
  [
    'animated transform',
    svg('<rect><animateTransform attributeName="transform"/></rect>'),
    'the element <animateTransform>',
  ],
  ['another base', svg(`<use xml:base="https://${EVIL}/" href="#a"/>`), 'the attribute xml:base'],
  ['source', svg(`<g src="${URL_EVIL}"/>`), 'the attribute src'],
  ['metadata', svg(`<metadata><x href="${URL_EVIL}" onload="${RUN}"/></metadata>`), null],
  ['editor data', svg(`<i:pgf xmlns:i="urn:x">https://${EVIL}</i:pgf><rect i:href2="${EVIL}"/>`), null],
  ['title', svg(`<title>&lt;img src=//${EVIL}></title><desc>${EVIL}</desc>`), null],
  ['comment', svg(`<!-- --><!--<script>${RUN}</script>--><rect/>`), null],
  ['data attribute', svg(`<rect data-x="${URL_EVIL}" ping="${URL_EVIL}"/>`), null],
  ['text that looks like markup', svg(`<text>&lt;script>1&lt;/script></text>`), null],
  ['text outside of text', svg(`https://${EVIL}<g>${EVIL}</g>`), null],
  ['quotes in a value', svg(`<rect id='"onload="x' fill='red'/>`), null],
  ['use of itself', svg('<g id="a"><use href="#a"/></g>'), 'refer to themselves'],
  ['mask of itself', svg('<mask id="a"><rect mask="url(#a)"/></mask>'), 'refer to themselves'],
  [
    'billion laughs',
    svg(
      Array.from(
        { length: 20 },
        (_, at) => `<g id="a${at}">${`<use href="#a${at + 1}"/>`.repeat(5)}</g>`,
      ).join(''),
    ),
    'takes too long to draw',
  ],
  [
    'billion masks',
    svg(
      Array.from(
        { length: 20 },
        (_, at) => `<mask id="a${at}">${`<rect mask="url(#a${at + 1})"/>`.repeat(5)}</mask>`,
      ).join(''),
    ),
    'takes too long to draw',
  ],
  [
    'many uses of one element',
    svg(
      `<path id="a" d="M0 0h9"/><g id="b">${'<use href="#a"/>'.repeat(95)}</g>${'<use href="#b"/>'.repeat(95)}`,
    ),
    'takes too long to draw',
  ],
  [
    'uses of a long path',
    svg(`<path id="a" d="M0 0${'h1v1'.repeat(5000)}"/>${'<use href="#a"/>'.repeat(50)}`),
    'takes too long to draw',
  ],
  [
    'uses of a long text',
    svg(`<text id="a">${'a'.repeat(20_000)}</text>${'<use href="#a"/>'.repeat(50)}`),
    'takes too long to draw',
  ],
  [
    'gradients with many stops',
    svg(
      `<linearGradient id="a">${'<stop/>'.repeat(100)}</linearGradient>${'<rect fill="url(#a)"/>'.repeat(100)}`,
    ),
    'takes too long to draw',
  ],
  ['many layers', svg('<rect opacity=".5"/>'.repeat(1000)), 'takes too long to draw'],
  ['many elements', svg('<g/>'.repeat(5000)), 'takes too long to draw'],
  ['dashes', svg('<rect stroke-dasharray="1e-9" stroke-dashoffset="1" pathLength="1e9"/>'), null],
  [
    'dashes in CSS',
    svg('<style>rect{stroke-dasharray:1e-9}</style><rect style="stroke-dasharray:1"/>'),
    null,
  ],
  [
    'filters and patterns',
    svg(
      '<filter id="f"><feGaussianBlur stdDeviation="1e9"/></filter><pattern id="p" width="1e-9"/><rect filter="url(#f)" marker-end="url(#m)"/>',
    ),
    null,
  ],
  ['deep nesting', svg('<g>'.repeat(2000) + '</g>'.repeat(2000)), 'more than 64 levels'],
  ['second root', `${svg('')}${svg(`<script>${RUN}</script>`)}`, 'one root element'],
  ['open root', `<svg ${NS}><script>${RUN}`, 'is not closed'],
  ['wrong end', `<svg ${NS}><g></svg></g>`, 'is not valid XML at </svg>'],
  ['attribute twice', svg('<rect x="1" x="2"/>'), 'two attributes x'],
  ['unquoted attribute', svg('<rect x=1/>'), 'the start tag of <rect>'],
  ['no namespace', '<svg><rect/></svg>', 'does not start with <svg xmlns='],
  ['HTML', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'does not start with <svg'],
  ['not XML', '<svg', 'is not valid XML'],
  ['null character', svg('<text>a\0b</text>'), 'a character that XML does not allow'],
  ['coded null character', svg('<text>&#0;</text>'), "the entity '&#0;'"],
  ['lone surrogate', svg('<text>&#xd800;</text>'), "the entity '&#xd800;'"],
  ['xlink on the root', svg(`<rect xlink:title="${EVIL}"/>`, ` ${XLINK}`), null],
]
