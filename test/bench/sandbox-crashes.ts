import { setTimeout as sleep } from 'node:timers/promises'
import { createWrittenSandboxes, findDamage, writeUntilKilled } from '../support/sandbox-writers.ts'
import { type Bench, type FigureRow, failuresRow } from './figure.ts'
import { clientOf, type DaemonServer, startDaemonServer } from './servers.ts'

const KILLS = 200
const QUICK_KILLS = 20
const KILLS_PER_CHECK = 5
const SANDBOXES = 20
const LEAST_MS = 100
const MOST_MS = 800

const addressOf = ({ port }: DaemonServer) => `http://127.0.0.1:${port}`

/** Kills a daemon with 20 busy sandboxes repeatedly, and counts lost and misplaced writes. */
export async function crashRows(bench: Bench): Promise<FigureRow[]> {
  const kills = bench.isQuick ? QUICK_KILLS : KILLS
  const place = await bench.ground.empty()
  let daemon = await startDaemonServer(bench, place)
  const sandboxes = await createWrittenSandboxes(clientOf(daemon), SANDBOXES)
  let damage = await findDamage(addressOf(daemon), sandboxes)
  for (let kill = 1; kill <= kills; kill += 1) {
    const writing = writeUntilKilled(addressOf(daemon), sandboxes)
    await sleep(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS))
    await daemon.child.kill()
    await writing
    daemon = await startDaemonServer(bench, place)
    if (kill % KILLS_PER_CHECK > 0 && kill < kills) continue
    damage = await findDamage(addressOf(daemon), sandboxes)
    bench.note(`${kill} kills: ${JSON.stringify(damage)}`)
  }
  await daemon.end()
  await bench.ground.release(place)
  const what = `${kills} × kill -9 with ${SANDBOXES} busy sandboxes`
  return [
    failuresRow(`${what}: acknowledged writes lost`, damage.lost, damage.acknowledged),
    failuresRow(`${what}: writes in the wrong sandbox`, damage.misplaced, damage.acknowledged),
    failuresRow(`${what}: gaps in event sequences`, damage.gaps, damage.acknowledged),
  ]
}
