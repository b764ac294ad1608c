import { resourceOfId } from '../../api/resources/catalog.ts'
import { sandboxFlag } from '../routing/sandbox-flag.ts'
import { CopyText } from './copy-text.tsx'

/** Shows the command and the curl call that print an object. */
export function ObjectCommands({ id }: { readonly id: string }) {
  const resource = resourceOfId(id)
  if (resource === null || resource === undefined) return null
  return (
    <section class="stack" aria-label="Commands">
      <h2>Commands</h2>
      <CopyText text={`paycli get ${id}${sandboxFlag()}`} />
      <CopyText
        text={`curl ${window.location.origin}/v1/${resource.path}/${id} -H "Authorization: Bearer $PAYCLI_API_KEY"`}
      />
    </section>
  )
}
