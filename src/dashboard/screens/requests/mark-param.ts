/** A part of an error message; `isParam` for the name of the parameter. */
export interface MessagePart {
  readonly text: string
  readonly isParam: boolean
}

/** Splits an error message at the name of its parameter, as a whole word. */
export function splitMessageAtParam(message: string, param: string | null): readonly MessagePart[] {
  if (param === null || param === '') return [{ text: message, isParam: false }]
  const name = param.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return message
    .split(new RegExp(`(?<![\\w[\\].])(${name})(?![\\w[\\]])`, 'u'))
    .map((text, at) => ({ text, isParam: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
