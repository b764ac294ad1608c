const ROLES = {
  append: async () => (await import('./append.ts')).openAppend,
  bare: async () => (await import('./bare-koa.ts')).startBareKoa,
  'bare-journal': async () => (await import('./bare-journal.ts')).startBareJournal,
  crashing: async () => (await import('./crash-writer.ts')).startCrashWriter,
  daemon: async () => (await import('./daemon.ts')).startMeasuredDaemon,
  held: async () => (await import('./resident-memory.ts')).openResidentMemory,
  load: async () => (await import('./load-generator.ts')).openLoadGenerator,
  naive: async () => (await import('./plain-json.ts')).openPlainJson,
  ordered: async () => (await import('./order-check.ts')).startOrderCheck,
  posting: async () => (await import('./bare-delivery.ts')).openBareDelivery,
  receivers: async () => (await import('./receivers.ts')).startReceivers,
  renewing: async () => (await import('./renewal-daemon.ts')).startRenewalDaemon,
  seeder: async () => (await import('./seeder.ts')).openSeeder,
  writer: async () => (await import('./writer.ts')).openWriter,
}

/** The options and commands of each role. */
export type Roles = { readonly [R in keyof typeof ROLES]: Awaited<ReturnType<(typeof ROLES)[R]>> }

/** Loads the factory of one role, so that a process loads only its own code; null for an unknown name. */
export async function roleOf(name: string): Promise<Roles[keyof Roles] | null> {
  const found = Object.entries(ROLES).find(([role]) => role === name)
  return found === undefined ? null : found[1]()
}
