import { join } from 'node:path'
import { openDaemon } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { runCommand } from '../../support/run-command.ts'
import { assert, suite } from '../../support/suite.ts'
import type { Ended } from '../paycli.ts'

const test = suite('commands/state.save.sandbox')

const home = newFolder()
/** A fixed port, so that the stored keys of sandboxes apply to the restarted server. */
let port = 0

async function run(line: string): Promise<Ended> {
  return runCommand(line.split(' '), { PAYCLI_HOME: home })
}

async function serveWhile(work: () => Promise<void>): Promise<void> {
  const daemon = await openDaemon({ home, db: join(home, 'paycli.json'), port })
  port = Number(new URL(daemon.location.api_url).port)
  try {
    await work()
  } finally {
    await daemon.stop()
  }
}

/** Returns the email addresses of the customers of a sandbox. */
async function emails(sandbox: string): Promise<string> {
  return (await run(`customers list --sandbox ${sandbox} --field data[].email`)).stdout
}

test('saves, compares, restores and checks a sandbox without changing the default sandbox', async () => {
  await serveWhile(async () => {
    await run('customers create --email main@example.com')
    await run('sandboxes create --name worker-1')
    await run('customers create --email ada@example.com --sandbox worker-1')
    const saved = await run('state save early --sandbox worker-1')
    assert.is(saved.code, 0, saved.stderr)
    assert.match(saved.stderr, 'Saved the sandbox worker-1 of ')
    assert.match(saved.stderr, 'paycli state restore early --sandbox worker-1')
    await run('customers create --email bob@example.com --sandbox worker-1')
    const difference = JSON.parse((await run('state diff early --sandbox worker-1')).stdout)
    assert.equal(
      difference.map(({ change, object }: Record<string, string>) => `${change} ${object}`),
      ['added customer', 'added event'],
    )
    const { records } = JSON.parse((await run('doctor --json --sandbox worker-1')).stdout)
    assert.equal([records.customers, records.sandboxes], [2, undefined])
  })
  const restored = await run('state restore early --sandbox worker-1')
  assert.is(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, "Restored state 'early' to the sandbox worker-1 of ")
  await serveWhile(async () => {
    assert.is(await emails('worker-1'), 'ada@example.com\n')
    assert.is(await emails('default'), 'main@example.com\n')
  })
})

test('restores a state of another sandbox into `default` only with --sandbox, and keeps the keys of `default`', async () => {
  const [{ sandbox: id }] = JSON.parse((await run('state list --json')).stdout)
  for (const command of ['restore', 'diff']) {
    const { code, stderr } = await run(`state ${command} early`)
    assert.is(code, 2)
    assert.match(stderr, `State 'early' was saved from the sandbox ${id}.`)
    assert.match(stderr, `Add --sandbox ${id}`)
  }
  await serveWhile(async () => {
    assert.is(await emails('default'), 'main@example.com\n')
    await run('keys create --name own')
  })
  const restored = await run('state restore early --sandbox default')
  assert.is(restored.code, 0, restored.stderr)
  await serveWhile(async () => {
    assert.is(await emails('default'), 'ada@example.com\n')
    assert.match((await run('keys list --field data[].name')).stdout, /^own$/m)
    assert.is(await emails('worker-1'), 'ada@example.com\n')
  })
})

test('rejects a sandbox that does not exist or is in the memory of the server', async () => {
  await serveWhile(async () => {
    await run('sandboxes create --name brief --storage memory')
    for (const [name, message] of [
      ['brief', "Sandbox 'brief' of .* is in the memory of the server"],
      ['nobody', "Sandbox 'nobody' of .* does not exist"],
    ] as const) {
      const { code, stdout, stderr } = await run(`state save other --sandbox ${name}`)
      assert.match(stderr, new RegExp(message))
      assert.is.not(code, 0)
      assert.is(stdout, '')
    }
  })
})

test('completes the names of stored sandboxes', async () => {
  await serveWhile(async () => {
    const { stdout } = await run('complete -- customers list --sandbox w')
    assert.is(stdout, 'worker-1\n')
  })
})

test.run()
