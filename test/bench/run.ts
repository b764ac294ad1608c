import { play } from './child.ts'
import { roleOf } from './roles.ts'

const [, , as, role = '', options = '{}'] = process.argv
if (as === 'as') {
  const open = await roleOf(role)
  if (open === null) throw new Error(`no process can play '${role}'`)
  await play(open as Parameters<typeof play>[0], options)
} else {
  // What only the one who measures needs would be a part of what is measured of the others.
  const { measure } = await import('./measure.ts')
  await measure()
}
