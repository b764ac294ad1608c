import type { ScreenProps } from '../../shell/screen-props.ts'

export function CustomersScreen({ id }: ScreenProps) {
  return <h1>CustomersScreen {id}</h1>
}
