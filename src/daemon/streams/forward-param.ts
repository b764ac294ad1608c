import { isWebUrl } from '../../api/schema/formats.ts'
import { catchDomainError, DomainError } from '../../domain/core/domain-error.ts'
import { MAX_URL_CHARACTERS } from '../../domain/core/params.ts'
import { isValidEventPattern } from '../../domain/events/events.ts'
import type { ForwardTarget } from './forward-endpoints.ts'

/**
 * Parses the `forward` parameter of a stream, such as `invoice.*=http://127.0.0.1:3000/`. Throws a DomainError that
 * names the parameter with its index, for an invalid target or a URL that `requireTarget` rejects.
 */
export function parseForwardParam(
  texts: readonly string[],
  requireTarget: (url: string) => void,
): readonly ForwardTarget[] {
  return texts.map((text, index) => {
    const param = `forward[${index}]`
    const target = parseTarget(text, param)
    const error = catchDomainError(() => requireTarget(target.url))
    if (error !== null) throw new DomainError(error.code, error.message, { param })
    return target
  })
}

function parseTarget(text: string, param: string): ForwardTarget {
  const end = text.indexOf('=')
  const [events, url] = [text.slice(0, end).split(','), text.slice(end + 1)]
  if (end <= 0 || !events.every(isValidEventPattern)) {
    throw new DomainError(
      'parameter_invalid_string',
      'Invalid forward: expected types=url, such as invoice.*=http://127.0.0.1:3000/.',
      { param },
    )
  }
  if (url.length <= MAX_URL_CHARACTERS && isWebUrl(url)) return { url, events }
  throw new DomainError(
    'url_invalid',
    `Invalid URL after "=": expected an absolute http or https URL without credentials, at most ${MAX_URL_CHARACTERS} characters, such as http://127.0.0.1:3000/.`,
    { param },
  )
}
