import { Empty } from '#components/ui/empty.tsx'

export function AlreadyAdmin() {
  return (
    <Empty
      icon="shield"
      title="Already an Admin"
      heading="h1"
      action={
        <a className="btn btn-main" href="/admin">
          Go to Admin
        </a>
      }
    >
      <p>You have super admin rights.</p>
    </Empty>
  )
}
