import { isWebUrl } from '../api/schema/formats.ts'
import { MAX_URL_CHARACTERS } from '../api/schema/schema.ts'
import { DomainError } from '../domain/domain-error.ts'
import { isEventPattern } from '../domain/events.ts'
import type { ForwardTarget } from './forwarding.ts'

/**
 * Reads the `forward` parameter of a stream, such as `invoice.*=http://127.0.0.1:3000/`. Throws for a URL that a webhook
 * endpoint may not have, as `requireTarget` says; it names the parameter with its index.
 */
export function parseForwardParam(
  texts: readonly string[],
  requireTarget: (url: string) => void,
): readonly ForwardTarget[] {
  return texts.map((text, index) => {
    const param = `forward[${index}]`
    const target = parseTarget(text, param)
    try {
      requireTarget(target.url)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      throw new DomainError(error.code, error.message, { param })
    }
    return target
  })
}

function parseTarget(text: string, param: string): ForwardTarget {
  const end = text.indexOf('=')
  const [events, url] = [text.slice(0, end).split(','), text.slice(end + 1)]
  if (end <= 0 || !events.every(isEventPattern)) {
    throw new DomainError(
      'parameter_invalid_string',
      'forward takes types=url, such as invoice.*=http://127.0.0.1:3000/.',
      { param },
    )
  }
  if (url.length <= MAX_URL_CHARACTERS && isWebUrl(url)) return { url, events }
  throw new DomainError(
    'url_invalid',
    `The URL after = is not an absolute http or https URL without credentials of at most ${MAX_URL_CHARACTERS} characters. Give one such as http://127.0.0.1:3000/.`,
    { param },
  )
}
