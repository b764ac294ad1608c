import type { ComponentChildren } from 'preact'

/** A column of a table. On a phone, each row is a card with the first two columns as its heading. */
export interface DataTableColumn<T> {
  readonly label: string
  readonly isNumber?: boolean
  readonly cell: (item: T, at: number) => ComponentChildren
}

interface DataTableProps<T> {
  readonly label: string
  readonly columns: readonly DataTableColumn<T>[]
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
}

/** Shows a table, whose rows are cards on a phone. */
export function DataTable<T>({ label, columns, items, keyOf }: DataTableProps<T>) {
  return (
    <table class="data-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" class={column.isNumber ? 'number' : undefined}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, at) => (
          <tr key={keyOf(item)}>
            {columns.map((column) => (
              <td key={column.label} data-label={column.label} class={column.isNumber ? 'number' : undefined}>
                <div>{column.cell(item, at)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
