const ROLES = {
  append: async () => (await import('./append.ts')).openAppend,
  bare: async () => (await import('./bare.ts')).startBare,
  crashing: async () => (await import('./crashing.ts')).startCrashing,
  daemon: async () => (await import('./daemon.ts')).startMeasuredDaemon,
  held: async () => (await import('./held.ts')).holdRecords,
  load: async () => (await import('./load.ts')).openLoad,
  naive: async () => (await import('./naive.ts')).openNaive,
  ordered: async () => (await import('./ordered.ts')).startOrdered,
  posting: async () => (await import('./posting.ts')).openPosting,
  receivers: async () => (await import('./receivers.ts')).startReceivers,
  renewing: async () => (await import('./renewing.ts')).startRenewing,
  screen: async () => {
    // As the command does, before React is loaded.
    process.env['NODE_ENV'] = 'production'
    return (await import('./screen.ts')).startScreen
  },
  seeder: async () => (await import('./seeder.ts')).openSeeder,
  writer: async () => (await import('./writer.ts')).openWriter,
}

/** What each role is opened with and can then be asked. */
export type Roles = { readonly [R in keyof typeof ROLES]: Awaited<ReturnType<(typeof ROLES)[R]>> }

/** The maker of a role, loaded alone, so that a process holds nothing but its own; null for an unknown name. */
export async function roleOf(name: string): Promise<Roles[keyof Roles] | null> {
  const found = Object.entries(ROLES).find(([role]) => role === name)
  return found === undefined ? null : found[1]()
}
