import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

/** Creates a key and a self-signed certificate for `localhost` (RFC 5280, version 1). */
export function createSelfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256)
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from('localhost')))))
  const utcTime = (text: string) => der(0x17, Buffer.from(text))
  const validity = der(SEQUENCE, utcTime('200101000000Z'), utcTime('491231235959Z'))
  const serial = der(0x02, Buffer.from([1]))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(SEQUENCE, serial, algorithm, name, validity, name, subjectKey)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = der(SEQUENCE, body, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
