import { inflateSync } from 'node:zlib'

/** The characters of the bytes 0x80 to 0x9f in Windows-1252. */
const WINDOWS_1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

/** Returns the text of a PDF with standard fonts, in drawing order. Each run of white space becomes one space. */
export function textOfPdf(bytes: Buffer): string {
  const file = bytes.toString('latin1')
  const streams = [...file.matchAll(/\/FlateDecode\n.*?\nstream\n(.*?)\nendstream$/gms)].map(
    ([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
  )
  return streams
    .flatMap((stream) => [...stream.matchAll(/^\[(.*)\] TJ$/gm)])
    .map(([, shown = '']) => [...shown.matchAll(/<(\w+)>/g)].map(([, hex]) => hex).join(''))
    .map(decodeWindows1252)
    .join(' ')
    .replace(/\s+/g, ' ')
}

function decodeWindows1252(hex: string): string {
  return Buffer.from(hex, 'hex')
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? '')
}
