import type { ScreenProps } from '../../routing/screen-props.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

/** Shows the requests of the application, or one of them. */
export function RequestsScreen({ id }: ScreenProps) {
  return id === null ? <RequestList /> : <RequestDetail key={id} id={id} />
}
