import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { paycli } from '../../commands/paycli.ts'
import { newFolder } from '../../support/folders.ts'
import { ROOT } from '../../support/root.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'

const PLUGIN = 'paycli-plugin-greeting'

/** The files of the data folder after the installation of a plugin with a command and an `init` hook. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ oclif: { plugins: [{ name: PLUGIN, type: 'user' }] } }),
  [`node_modules/${PLUGIN}/package.json`]: JSON.stringify({
    name: PLUGIN,
    version: '1.0.0',
    type: 'module',
    oclif: { commands: './commands', hooks: { init: './init.js' } },
  }),
  [`node_modules/${PLUGIN}/commands/greet.js`]: `import { Args, Command } from '@oclif/core'
    export default class Greet extends Command {
      static summary = 'Greet a customer'
      static args = { name: Args.string({ required: true }) }
      async run() {
        const { args } = await this.parse(Greet)
        this.log('Hello ' + args.name)
      }
    }`,
  [`node_modules/${PLUGIN}/init.js`]: `export default async function init({ id }) {
      process.stderr.write('init of ' + id + '\\n')
    }`,
}

/** Returns a data folder with the plugin. */
function folderWithPlugin(): string {
  const folder = newFolder()
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(join(folder, 'node_modules', '@oclif'))
  symlinkSync(join(ROOT, 'node_modules', '@oclif', 'core'), join(folder, 'node_modules', '@oclif', 'core'))
  return folder
}

const env = { PAYCLI_HOME: folderWithPlugin() }

const test = suite('cli/run')

test('runs the command and the init hook of a plugin', async () => {
  const { code, stdout, stderr } = await paycli(['greet', 'Ada'], { env })
  assert.equal([code, stdout, stderr], [0, 'Hello Ada\n', 'init of greet\n'])
})

test('runs the init hook of a plugin before the commands of paycli', async () => {
  const { code, stdout, stderr } = await paycli(['config', 'get', 'profile', '--json'], { env })
  assert.equal([code, stderr], [0, 'init of config:get\n'])
  assert.equal(JSON.parse(stdout), { profile: 'default' })
})

test('reports the same errors of commands with plugins as without plugins', async () => {
  const words = ['customers', 'create', '--emial', 'x']
  const [plain, plugged] = [await runCommand(words), await paycli(words, { env })]
  assert.equal(plugged, { ...plain, stderr: `init of customers:create\n${plain.stderr}` })
})

test('lists the commands of a plugin in the help', async () => {
  const { code, stdout } = await paycli(['--help'], { env })
  assert.is(code, 0)
  assert.match(stdout, /^ {2}greet +Greet a customer$/m)
})

test('reports an unexpected argument when no plugin is installed', async () => {
  const extra = await paycli(['customers', 'list', 'more'])
  assert.equal([extra.code, extra.stdout], [2, ''])
  assert.match(extra.stderr, "Unexpected argument 'more': customers list has no such argument.")
})

test('every command reports a folder that was deleted, once', () => {
  for (const command of ['serve', 'exec -- true', 'customers list', 'help']) {
    const script = 'cd "$0" && rmdir "$0" && exec "$1" "$2" $3'
    const words = [newFolder(), process.execPath, join(ROOT, 'bin/run.js'), command]
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, ...words], { encoding: 'utf8' })
    const message =
      'Error: The current folder was deleted.\nHint:  Change to a folder that exists, such as: cd ~\n'
    assert.equal([status, stdout, stderr], [1, '', message])
  }
})

test('an unknown command with a URL or a number is quoted as typed', async () => {
  for (const words of ['http://localhost:4100/hook 5', '1250', '3000/hook --slow 2s']) {
    const { stderr } = await paycli(['webhook', 'check', ...words.split(' ')])
    assert.match(stderr, "Error: Unknown command 'webhook check'.")
    assert.match(stderr.replaceAll(/\s+/g, ' '), `paycli webhooks check ${words} `)
  }
})

test.run()
