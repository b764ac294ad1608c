import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Language } from '../languages/language.ts'
import { type HtmlValue, toText } from '../markup/html.ts'
import type { OrderRow } from '../view/order-lines.ts'
import type { DetailRow, ReceiptPageContent } from '../view/receipt-texts.ts'

const MARGIN = 56
/** The width of an A4 page without margins, in points. */
const WIDTH = 595.28 - 2 * MARGIN
const GRAY = '#555555'
const REGULAR = 'Helvetica'
const BOLD = 'Helvetica-Bold'

/** Matches characters that are not in Windows-1252, the encoding of the standard fonts. */
const UNENCODABLE = /[^\n -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/gu

/**
 * The maximum length of a string in characters, equal to the maximum length of a description. The layout time of a
 * string without spaces is quadratic.
 */
const MAX_CHARACTERS = 5000

/** The codes of currencies whose symbols are used in PDF languages but are not in Windows-1252. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ['₪', 'ILS'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['₫', 'VND'],
])

/** A value in a column (default: full width, 10 points, not bold, black, without a line above it). */
interface Cell {
  readonly value: HtmlValue
  /** The width in points. */
  readonly width?: number
  readonly align?: 'right'
  readonly font?: string
  readonly size?: number
  readonly color?: string
  readonly hasRule?: boolean
}

/** The space between the sections of a receipt. */
const SPACE: Cell[] = [{ value: '', size: 1 }]

/**
 * Returns a PDF with the title, details and receipts of a page. The PDF uses the standard fonts of PDF. Characters that
 * these fonts lack are shown as codes, with a note that contains the URL of the page. Two PDFs of the same payment
 * receipt have the same bytes.
 */
export async function renderReceiptPdf(
  page: ReceiptPageContent,
  { t, tag: lang }: Language,
  {
    brandName,
    url,
    yieldToEventLoop,
  }: {
    readonly brandName: string | null
    readonly url: string
    /** Called before each row, so that a receipt with many rows does not block the event loop. */
    readonly yieldToEventLoop: () => Promise<void>
  },
): Promise<Buffer> {
  const [paid] = page.receipts.map((receipt) => receipt.paid)
  const info = { Title: page.title, ...(paid && { CreationDate: new Date(paid.at * 1000) }) }
  const document = new PDFDocument({ size: 'A4', margin: MARGIN, lang, displayTitle: true, info })
  let isComplete = true
  if (brandName !== null) isComplete = addRow(document, [{ value: brandName, font: BOLD }])
  for (const row of toRows(page)) {
    await yieldToEventLoop()
    isComplete = addRow(document, row) && isComplete
  }
  document.font(REGULAR, 9).fillColor(GRAY).moveDown(2)
  // The URL has its own line, so that readers can copy it.
  if (!isComplete) document.text(t('pdfIncomplete', { url: `\n${url}` })).moveDown()
  document.text(`${t('footer')} ${t('testMode')} — ${t('noMoneyMoves')}`)
  document.end()
  return buffer(document)
}

function* toRows({ title, details = [], receipts }: ReceiptPageContent): Generator<Cell[]> {
  const isSingle = receipts.length === 1
  yield [{ value: title, font: BOLD, size: 20 }]
  if (!isSingle) yield* toDetails(details)
  for (const texts of receipts) {
    yield SPACE
    if (!isSingle) yield [{ value: texts.title, font: BOLD, size: 14 }]
    if (texts.paid !== null) {
      const { amount, date, refundState } = texts.paid
      yield [{ value: amount, font: BOLD, size: 16 }]
      yield [{ value: [date, refundState && ` · ${refundState}`] }]
    }
    yield SPACE
    yield* toDetails(isSingle ? [...texts.details, ...details] : texts.details)
    yield SPACE
    yield* texts.rows.map(toAmountCells)
  }
}

function toDetails(details: readonly (DetailRow | null)[]): Cell[][] {
  return details
    .filter((detail) => detail !== null)
    .map(([name, value]) => [
      { value: name, width: 150, color: GRAY },
      { value, width: WIDTH - 150 },
    ])
}

function toAmountCells({ kind, name, notes = [], amount }: OrderRow): Cell[] {
  const style = {
    font: kind === 'due' ? BOLD : REGULAR,
    color: kind === 'sum' || kind === 'tax' ? GRAY : 'black',
    hasRule: kind !== 'tax',
  }
  return [
    { ...style, value: [name, notes.map((note) => note && ['\n', note])], width: WIDTH - 140 },
    { ...style, value: amount, width: 140, align: 'right' },
  ]
}

/**
 * Composes characters, replaces special spaces and currency symbols that the standard fonts lack, and removes invisible
 * characters.
 */
function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u2000-\u200a\u202f\u205f\u3000]/g, '\u00a0')
    .replace(/[\t\r\u2028\u2029]/g, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(\p{Sc})(\d?)/gu, (amount, symbol, digit) => {
      const code = CURRENCIES.get(symbol)
      return code === undefined ? amount : `${code}${digit && `\u00a0${digit}`}`
    })
}

/** Returns the codes of characters, such as `[U+5C71 7530]`. */
function toCodes(characters: string): string {
  const codes = Array.from(characters, (one) => one.codePointAt(0)?.toString(16).padStart(4, '0'))
  return `[U+${codes.join(' ').toUpperCase()}]`
}

/**
 * Adds a row, on a new page if the row does not fit on the current page. A row that is higher than a page continues on
 * further pages. Returns whether the row shows its texts completely and without codes.
 */
function addRow(document: PDFKit.PDFDocument, cells: readonly Cell[]): boolean {
  const given = cells.map(({ value }) => normalize(toText(value)))
  const texts = given.map((text) => text.replace(UNENCODABLE, toCodes).slice(0, MAX_CHARACTERS))
  const heights = cells.map(({ font = REGULAR, size = 10, width = WIDTH }, index) =>
    document.font(font, size).heightOfString(texts[index] ?? '', { width }),
  )
  const height = Math.max(...heights) + 6
  if (document.y + height > document.page.maxY()) document.addPage()
  const { y, page } = document
  let x = MARGIN
  const columns = cells.map((cell, index) => {
    const column = { ...cell, x, text: texts[index] ?? '' }
    x += cell.width ?? WIDTH
    return column
  })
  // A name that is higher than a page ends on a later page, so the amount is drawn first.
  if (y + height > page.maxY()) columns.reverse()
  for (const column of columns) {
    const { font = REGULAR, size = 10, color = 'black', width = WIDTH, align = 'left' } = column
    if (column.hasRule) document.rect(column.x, y, width, 0.5).fill(GRAY)
    document.font(font, size).fillColor(color)
    document.text(column.text, column.x, y + 3, { width, align })
  }
  document.x = MARGIN
  document.y = document.page === page ? y + height : document.y + 3
  return texts.every((text, index) => text === given[index])
}
