import type { ScreenProps } from '../../routing/screen-props.ts'

export function CustomersScreen({ id }: ScreenProps) {
  return <h1>CustomersScreen {id}</h1>
}
