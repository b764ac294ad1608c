import { networkInterfaces } from 'node:os'
import { createTargetGuard, parseNetworks, type TargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/ssrf-guard')

const OWN = [4100, 4101]
const local = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: OWN })
const open = createTargetGuard({ isPublicOnly: true, allowed: ['10.1.0.0/16', 'fd12::/16'], ownPorts: OWN })

/** Columns: URL, verdict of a local server, verdict of an exposed server. */
const TABLE = `
  http://127.0.0.1:3000/            ok          loopback
  http://localhost:3000/            ok          loopback
  http://app.localhost:3000/        ok          loopback
  http://[::1]:3000/                ok          loopback
  http://0.0.0.0:3000/              ok          loopback
  http://0.1.2.3/                   ok          loopback
  http://2130706433:3000/           ok          loopback
  http://0x7f.1:3000/               ok          loopback
  http://[::ffff:127.0.0.1]:3000/   ok          mapped IPv4
  http://[::ffff:8.8.8.8]/          ok          mapped IPv4
  http://10.0.0.1/                  ok          private
  http://10.1.2.3/                  ok          ok
  http://172.16.0.1/                ok          private
  http://172.32.0.1/                ok          ok
  http://192.168.1.1/               ok          private
  http://[fd00::1]/                 ok          private
  http://[fec0::1]/                 ok          private
  http://[fd12::1]/                 ok          ok
  http://169.254.1.1/               ok          link-local
  http://[fe80::1]/                 ok          link-local
  http://100.64.0.1/                ok          carrier-grade NAT
  http://224.0.0.1/                 ok          multicast
  http://[ff02::1]/                 ok          multicast
  http://255.255.255.255/           ok          reserved
  http://198.18.0.1/                ok          reserved
  http://192.0.0.1/                 ok          reserved
  http://192.88.99.1/               ok          reserved
  http://240.0.0.1/                 ok          reserved
  http://[100::1]/                  ok          reserved
  http://[100:0:0:1::1]/            ok          reserved
  http://[5f00::1]/                 ok          segment routing
  http://[::ffff:0:a00:1]/          ok          IPv4-translated
  http://[2001:10::1]/              ok          reserved
  http://192.0.2.1/                 ok          documentation
  http://198.51.100.1/              ok          documentation
  http://203.0.113.7/               ok          documentation
  http://[2001:db8::1]/             ok          documentation
  http://[3fff::1]/                 ok          documentation
  http://[64:ff9b::a00:1]/          ok          NAT64
  http://[64:ff9b:1::1]/            ok          NAT64
  http://[2002:a00:1::]/            ok          6to4
  http://[2001::1]/                 ok          Teredo
  http://[::a00:1]/                 ok          IPv4-compatible
  http://93.184.215.14/             ok          ok
  https://[2606:4700::1111]/        ok          ok
  https://example.com/              ok          ok
  http://169.254.169.254/           metadata    metadata
  http://[::ffff:169.254.169.254]/  metadata    metadata
  http://[fd00:ec2::254]/           metadata    metadata
  http://100.100.100.200/           metadata    metadata
  http://169.254.170.2/             metadata    metadata
  http://169.254.170.23/            metadata    metadata
  http://192.0.0.192/               metadata    metadata
  http://[fd00:ec2::23]/            metadata    metadata
  http://[fd20:ce::254]/            metadata    metadata
  http://[fe80::a9fe:a9fe]/         metadata    metadata
  http://[::ffff:0:a9fe:a9fe]/      metadata    metadata
  http://[::ffff:0:a9fe:aa02]/      metadata    metadata
  http://[64:ff9b::a9fe:a9fe]/      metadata    metadata
  http://[64:ff9b::169.254.169.254]/  metadata    metadata
  http://[64:ff9b::6464:64c8]/      metadata    metadata
  http://[64:ff9b:0:0:0:1:a9fe:a9fe]/  ok          ok
  http://[64:ff9b:1:a9fe:a9:fe00::]/  metadata    metadata
  http://[64:ff9b:1:a9:fe:a9fe::]/  metadata    metadata
  http://[64:ff9b:1:0:a9:fea9:fe00:0]/  metadata    metadata
  http://[64:ff9b:1::a9fe:a9fe]/    metadata    metadata
  http://[64:ff9b:2::a9fe:a9fe]/    ok          ok
  http://[2002:a9fe:a9fe::1]/       metadata    metadata
  http://[::a9fe:a9fe]/             metadata    metadata
  http://[64:ff9b::7f00:1]:4100/    own         own
  http://[64:ff9b::7f00:1]:3000/    ok          NAT64
  http://127.0.0.1:4100/            own         own
  http://localhost:4101/v1          own         own
  http://[::1]:4100/                own         own
  http://[::ffff:7f00:1]:4100/      own         own
  http://[::0]:4100/                own         own
  http://[0:0:0:0:0:0:0:0]:4100/    own         own
  http://[::ffff:0.0.0.0]:4100/     own         own
`

function kindOf(problem: string | null): string {
  if (problem === null) return 'ok'
  if (problem.includes('metadata service')) return 'metadata'
  if (problem.includes('belongs to this server')) return 'own'
  assert.match(problem, /Allow it with serve --allow-webhooks-to [\da-f.:]+\.$/)
  return / is a (.+) address\./.exec(problem)?.[1] ?? problem
}

for (const line of TABLE.trim().split('\n')) {
  const [url = '', whenLocal, whenOpen] = line.trim().split(/ {2,}/)
  test(`classifies ${url} as ${whenLocal} for a local server and as ${whenOpen} for an exposed one`, async () => {
    assert.is(kindOf(local.findProblem(url)), whenLocal)
    assert.is(kindOf(open.findProblem(url)), whenOpen)
    if (whenOpen === 'ok') open.requireAllowed(url)
    else assert.is((await catchDomainError(() => open.requireAllowed(url))).code, 'webhook_target_blocked')
  })
}

test('a server rejects its own ports at its listen address in any notation', () => {
  const options = { isPublicOnly: false, allowed: [], ownPorts: OWN }
  const one = createTargetGuard({ ...options, ownHost: '192.0.2.7' })
  assert.match(one.findProblem('http://192.0.2.7:4100/') ?? '', 'belongs to this server')
  assert.is(one.findProblem('http://192.0.2.7:3000/'), null)
  assert.is(one.findProblem('http://192.0.2.8:4100/'), null)
  const mapped = createTargetGuard({ ...options, ownHost: '0:0:0:0:0:FFFF:192.0.2.7' })
  assert.match(mapped.findProblem('http://192.0.2.7:4100/') ?? '', 'belongs to this server')
  assert.is(mapped.findProblem('http://192.0.2.8:4100/'), null)
})

for (const ownHost of ['0.0.0.0', '::', '::0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', '::ffff:0:0', '0::0']) {
  test(`a server on ${ownHost} rejects its own ports at every address of the machine`, () => {
    const all = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: OWN, ownHost })
    checkOwnPorts(all)
  })
}

function checkOwnPorts(all: TargetGuard): void {
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) => found)
  assert.ok(addresses.length > 0)
  for (const { address, family } of addresses) {
    // A URL cannot contain a zone id, which a link-local address needs.
    if (address.startsWith('fe80')) continue
    const host = family === 'IPv6' ? `[${address}]` : address
    assert.match(all.findProblem(`http://${host}:4101/`) ?? '', 'belongs to this server')
  }
}

test('lookup fails for a name without an allowed address', async () => {
  const resolve = (guard: typeof open, port: number) =>
    new Promise<string>((done) => {
      guard.lookupFor(port)('localhost', {}, (error, address) => done(error?.message ?? String(address)))
    })
  assert.match(await resolve(open, 3000), /^localhost is not allowed: .*loopback.*--allow-webhooks-to/)
  assert.match(await resolve(local, 4100), 'belongs to this server')
  assert.match(await resolve(local, 3000), /^(?:127\.0\.0\.1|::1)$/)
})

for (const text of ['10.0.0.0/33', 'example.com', '::/129', '10.0.0.0/', '10.0.0.0/x', '']) {
  test(`rejects the invalid network '${text}'`, async () => {
    const { code, param } = await catchDomainError(() => parseNetworks([text]))
    assert.equal([code, param], ['parameter_invalid_string', 'allow_webhooks_to'])
  })
}

test.run()
