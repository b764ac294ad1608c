import type { Event } from '../domain/events/events.ts'
import type { DeliveryRequest } from './delivery-request.ts'

/** Matches the part of a signature after `v1,` or `v1=`. */
const MAC = /(?<=^v1[,=]).+/
/** The number of wrong characters at the start or the end of a forged signature. */
const FORGED_CHARACTERS = 8

/** Returns a request with additional or replaced headers. */
export function withHeaders(request: DeliveryRequest, headers: DeliveryRequest['headers']): DeliveryRequest {
  return { ...request, headers: { ...request.headers, ...headers } }
}

/** Returns a request without the headers whose names match. */
export function withoutHeaders(request: DeliveryRequest, names: RegExp): DeliveryRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !names.test(name))
  return { ...request, headers: Object.fromEntries(kept) }
}

/** Returns a request with all header names in upper case. */
export function withUpperCaseHeaders(request: DeliveryRequest): DeliveryRequest {
  const renamed = Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), value])
  return { ...request, headers: Object.fromEntries(renamed) }
}

function mapSignatures(
  request: DeliveryRequest,
  map: (signatures: readonly string[]) => readonly string[],
): DeliveryRequest {
  const { 'webhook-signature': standard = '', 'Paycli-Signature': own = '' } = request.headers
  const [time = '', ...signatures] = own.split(',')
  return withHeaders(request, {
    'webhook-signature': map(standard.split(' ')).join(' '),
    'Paycli-Signature': [time, ...map(signatures)].join(','),
  })
}

/** Returns a request with a signature of an unknown version before and after its signatures. */
export function withUnknownSignatureVersions(request: DeliveryRequest): DeliveryRequest {
  const unknown = (signature = '', version = '') => signature.replace('v1', version)
  return mapSignatures(request, (all) => [unknown(all[0], 'v0'), ...all, unknown(all[0], 'v2')])
}

/** Returns a request whose signatures all have an unknown version. */
export function withOnlyUnknownSignatureVersions(request: DeliveryRequest): DeliveryRequest {
  return mapSignatures(request, (all) => all.map((signature) => signature.replace('v1', 'v2')))
}

/**
 * Returns a request with invalid signatures that each share characters with its first signature: the start, all but the
 * end, and all but the start.
 */
export function withPartialSignatures(request: DeliveryRequest): DeliveryRequest {
  const forge = (text: string) => text.replace(/[^=]/g, (character) => (character === 'a' ? 'b' : 'a'))
  return mapSignatures(request, ([signature = '']) => [
    signature.replace(MAC, (mac) => mac.slice(0, FORGED_CHARACTERS)),
    signature.replace(MAC, (mac) => mac.slice(0, -FORGED_CHARACTERS) + forge(mac.slice(-FORGED_CHARACTERS))),
    signature.replace(MAC, (mac) => forge(mac.slice(0, FORGED_CHARACTERS)) + mac.slice(FORGED_CHARACTERS)),
  ])
}

/** Returns the fields of an event whose object has the given description. */
export function createEventDataWithDescription(event: Event, description: string): Pick<Event, 'data'> {
  const object = { ...event.data.object, description }
  return { data: { ...event.data, object } }
}

/** Formats an event as other JSON serializers do; the values of `previous_attributes` have no fixed types. */
export function formatLikeOtherSerializers(event: Event): string {
  const { data } = createEventDataWithDescription(event, 'ESCAPES')
  const text = JSON.stringify(
    { ...event, data: { ...data, previous_attributes: { total: 'NUMBERS' } } },
    null,
    2,
  )
  return `${text
    .replace('ESCAPES', String.raw`Rent \/ caf\u00e9 \ud83e\uddfe`)
    .replace('"NUMBERS"', '[1.0, 1e2, -0, 12345678901234567890]')}\n`
}
