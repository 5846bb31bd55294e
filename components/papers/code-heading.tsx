import { Plate } from '#components/codes/plate.tsx'
import { nameOf } from '#domain/codes/code-title.ts'

export type CodeHeadingView = {
  vehicle_make_model: string | null
  vehicle_registration: string | null
  /** the owner's, or the kind of code */
  name: string
}

type Named = Omit<CodeHeadingView, 'name'> & Parameters<typeof nameOf>[0]

export function headingOf(code: Named): CodeHeadingView {
  const { vehicle_make_model, vehicle_registration } = code
  return { vehicle_make_model, vehicle_registration, name: nameOf(code) }
}

type CodeHeadingProps = { view: CodeHeadingView; as?: 'h2' | 'b'; id?: string }

/** Tells a code from the others: by make and model beside its plate, else by the plate, else by the owner. */
export function CodeHeading({ view, as: Heading = 'h2', id }: CodeHeadingProps) {
  const { vehicle_make_model, vehicle_registration, name } = view
  const plate = vehicle_registration && <Plate registration={vehicle_registration} />
  return (
    <>
      {vehicle_make_model && plate}
      <Heading className="text-lg" id={id} tabIndex={id ? -1 : undefined}>
        {plate && !vehicle_make_model ? plate : <bdi>{vehicle_make_model ?? name}</bdi>}
      </Heading>
    </>
  )
}
