import type { ComponentChildren } from 'preact'
import { findResourceByObjectId, isObjectId } from '../format/format-field.ts'
import { formatSandboxFlag } from '../routing/router.ts'
import { CopyText } from './copy-text.tsx'
import { Panel } from './placeholders.tsx'

interface ObjectCommandsProps {
  readonly id: string
  /** Other commands for the object. */
  readonly children?: ComponentChildren
}

/** Shows the command and the curl call that print an object. */
export function ObjectCommands({ id, children }: ObjectCommandsProps) {
  const path = `${findResourceByObjectId(id)?.path}/${id}`
  const url = `${window.location.origin}/v1/${path}`
  return (
    <Panel title="Commands">
      {children}
      <CopyText text={`paycli get ${isObjectId(id) ? id : path}${formatSandboxFlag()}`} />
      <CopyText text={`curl ${url} -H "Authorization: Bearer $PAYCLI_API_KEY"`} />
    </Panel>
  )
}
