import { runRole } from './role-process.ts'
import { roleOf } from './roles.ts'

const [, , as, role = '', options = '{}'] = process.argv
if (as === 'as') {
  const open = await roleOf(role)
  if (open === null) throw new Error(`no process can play '${role}'`)
  await runRole(open as Parameters<typeof runRole>[0], options)
} else {
  // Load this module only here: in a role process it would be part of the measurement.
  const { measure } = await import('./measure.ts')
  await measure()
}
