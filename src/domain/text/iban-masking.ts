/** Matches an IBAN in one piece or in groups of four characters. A word character before the IBAN marks an id. */
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?!\w)/gi

/** Returns the text with every valid IBAN replaced by its last four characters. */
export function maskIbans(text: string): string {
  return text.replace(IBAN, (found) => {
    const iban = normalizeIban(found)
    return isIban(iban) ? `[IBAN ending in ${iban.slice(-4)}]` : found
  })
}

/** Returns an IBAN in upper case and without spaces. */
export function normalizeIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}

/**
 * Returns whether a normalized IBAN is valid by ISO 13616. Letters count from A = 10. After moving the first four
 * characters to the end, the number must be 1 modulo 97.
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}
