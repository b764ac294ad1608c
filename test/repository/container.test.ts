import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createClient, customers } from '../../src/client/index.ts'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { exampleFiles, readDocument } from '../guides/code-blocks.ts'
import { newFolder } from '../support/folders.ts'
import { packPackage } from '../support/packed-package.ts'
import { sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('repository/container', {}, 120_000)

/** The packed package, alone in a folder that represents the build context. */
let file: string
let image: ReturnType<typeof buildImage>

test.before(() => {
  file = packPackage(newFolder())
  image = buildImage()
})

/** Creates a folder that represents the file system of a container or of a CI machine. */
function openMachine() {
  const root = join(newFolder(), 'a machine')
  const prefix = join(root, 'usr')
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    PAYCLI_HOME: join(root, 'home'),
    npm_config_prefix: prefix,
    // The package has no dependencies, so npm needs no registry.
    npm_config_offline: 'true',
  }
  /** Runs a script as a RUN instruction or a workflow step does; throws when the script fails. */
  const run = (script: string, shell = 'sh -e', cwd = '/', more: NodeJS.ProcessEnv = {}) => {
    const [program = '', ...flags] = shell.split(' ')
    mkdirSync(join(root, cwd), { recursive: true })
    const options = { cwd: join(root, cwd), env: { ...env, ...more }, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(program, [...flags, '-c', script], options)
    if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`)
    return stdout
  }
  return { root, env, run }
}

/** Returns the instructions of the Dockerfile in order. */
function instructions(): { readonly name: string; readonly text: string }[] {
  const text = readDocument('.github/docker/Dockerfile').replace(/\\\n\s*/g, '')
  return [...text.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', rest = '']) => ({ name, text: rest }))
}

const textOf = (wanted: string) => instructions().find(({ name }) => name === wanted)?.text ?? ''

/** Runs the instructions that build the image in a machine. */
function buildImage() {
  const machine = openMachine()
  let cwd = '/'
  for (const { name, text } of instructions()) {
    if (name === 'WORKDIR') cwd = text
    if (name === 'RUN') machine.run(text, 'sh', cwd)
    if (name === 'ENV') {
      const [variable = '', path = ''] = text.split('=')
      machine.env[variable] = join(machine.root, path)
    }
    if (name === 'COPY') {
      mkdirSync(join(machine.root, cwd), { recursive: true })
      for (const name of globSync(text.split(' ')[0] ?? '', { cwd: dirname(file) }))
        copyFileSync(join(dirname(file), name), join(machine.root, cwd, name))
    }
  }
  return machine
}

test('the Dockerfile installs the package for an unprivileged user, with a private volume for the data', () => {
  const { root, run } = image
  assert.match(run('paycli --version'), /^paycli\/\d/)
  assert.equal(readdirSync(join(root, 'tmp')), [])
  assert.is(run('stat -c %a home/node/paycli'), '700\n')
  assert.equal([textOf('USER'), textOf('VOLUME')], ['node', '/home/node/paycli'])
  assert.is(textOf('ENV'), `PAYCLI_HOME=${textOf('VOLUME')}`)
})

/** Returns the command of the server in the example of Compose. */
function composeCommand(): string {
  const compose = exampleFiles('.github/guides/container.md').get('compose.yaml') ?? ''
  return /command: >-\n((?: {6}.*\n)+)/.exec(compose)?.[1]?.replace(/\s+/g, ' ') ?? ''
}

/** In a container nothing else listens on the default port, but on this machine a server may. */
const NO_SERVER = { PAYCLI_API_BASE: 'http://127.0.0.1:1' }

test('the image and the Compose example start a server that is healthy, reachable by its addresses, and stops', async () => {
  const { root, run } = image
  const [entry = ''] = JSON.parse(textOf('ENTRYPOINT'))
  const command = (JSON.parse(textOf('CMD')) as string[]).map(quoteForShell).join(' ')
  const health = textOf('HEALTHCHECK').replace(/^.*?CMD /, '')
  for (const [words, host] of [
    [command, 'localhost:4100'],
    [composeCommand(), 'paycli:4100'],
  ] as const) {
    assert.throws(() => run(health, 'sh -e', '/', NO_SERVER), /ended with 1/)
    run(`${entry} ${words} --detach --port 0`)
    const url = run('paycli status --field api_url').trim()
    assert.is(run(health), `${url}\n`, 'the log of the health check contains no key')
    for (const [name, status] of [
      [host, 200],
      ['shop.example:4100', 403],
    ] as const)
      assert.is((await sendRequest(`${url}/healthz`, { headers: { Host: name } })).status, status)
    assert.match(run('paycli status --field checkout_url'), 'http://localhost:4101')
    run('paycli stop')
  }
  assert.ok(readdirSync(join(root, 'home', 'node', 'paycli')).includes('paycli.json'))
})

test('the action installs a package, starts a server, masks its secrets and sets the variables', async () => {
  const action = readDocument('.github/actions/paycli/action.yml')
  const script = /run: \|\n((?: {8}.*\n)+)/.exec(action)?.[1] ?? ''
  const [, flags = ''] = /default: (--.*)/.exec(action) ?? []
  const { root, run } = openMachine()
  mkdirSync(root)
  copyFileSync(file, join(root, 'paycli.tgz'))
  const variables = { PACKAGE: './paycli.tgz', FLAGS: flags, GITHUB_ENV: join(root, 'env') }
  const output = run(script, 'bash --noprofile --norc -e -o pipefail', '/', variables)
  const set = Object.fromEntries(
    readFileSync(variables.GITHUB_ENV, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => /^(\w+)=(.+)$/.exec(line)?.slice(1) ?? []),
  ) as Record<string, string>
  const {
    PAYCLI_API_BASE: apiBase = '',
    PAYCLI_API_KEY: apiKey = '',
    PAYCLI_WEBHOOK_SECRET: secret = '',
  } = set
  const client = createClient({ apiBase, apiKey })
  assert.match((await client.call(customers.create, { email: 'ada@example.com' })).id, /^cus_/)
  assert.match(set['PAYCLI_CHECKOUT_URL'] ?? '', /^http:/)
  for (const text of [apiKey, secret])
    assert.equal(
      output.split('\n').filter((line) => line.includes(text)),
      [`::add-mask::${text}`],
    )
  run('paycli stop')
})

test.run()
