import { TextField } from '#components/forms/field.tsx'
import { sizeLimit } from '#components/forms/size-limit.ts'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { BRAND_LENGTHS } from '#domain/brands/brand.ts'
import { contrastText } from '#domain/brands/colour.ts'
import { PREVIEWS, previewHref } from '#domain/brands/preview.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { LOGO_FILES } from '#domain/papers/file-kind.ts'
import { printWarning } from '#domain/print-letters.ts'
import { settingsAction, settingsHref } from '#domain/settings.ts'

type Typed = { brand_name: string; colour: string; footer: string; hide_product_name: boolean }

export type BrandingView = {
  typed: Typed
  /** a data: URL */
  logo: string | null
  problem?: { field: keyof Typed | 'logo' | undefined; message: string } | undefined
  canHide: boolean
  domain: { name: string; isVerified: boolean } | undefined
}

/** The name, logo, colour and last line of the pages of an account's codes, and how they look. */
export function BrandingPage({ view }: { view: BrandingView }) {
  const { typed, logo } = view
  return (
    <div className="beside">
      <div className="stack" data-script="brand">
        <BrandForm view={view} />
        <LogoForms view={view} />
        <AddressRow view={view} />
      </div>
      <Preview version={`${logo?.length ?? 0}`} typed={typed} />
    </div>
  )
}

function errorOf({ problem }: BrandingView, field: NonNullable<BrandingView['problem']>['field']) {
  return problem?.field === field ? problem?.message : undefined
}

function LogoForms({ view }: { view: BrandingView }) {
  const { logo } = view
  return (
    <section className="sheet" aria-labelledby="logo-title">
      <h2 id="logo-title">Logo</h2>
      <form
        className="stack gap-3"
        method="post"
        action={settingsAction('branding', '/logo')}
        encType="multipart/form-data"
      >
        <div className="logo-field">
          {logo && <img className="brand-logo" src={logo} alt="Your logo" />}
          <div className="grow">
            <TextField
              label="File"
              hint="JPEG, PNG or WebP, max 2MB"
              id="logo"
              type="file"
              name="file"
              accept={LOGO_FILES.accept}
              {...sizeLimit(LOGO_FILES)}
              required
              error={errorOf(view, 'logo')}
            />
          </div>
        </div>
        <div className="acts">
          <button className="btn btn-sm" type="submit" id="upload-logo">
            <Icon name="upload" />
            Upload
          </button>
          {logo && (
            <button
              className="btn btn-sm btn-quiet btn-red"
              type="submit"
              formAction={settingsAction('branding', '/logo/remove')}
              formEncType="application/x-www-form-urlencoded"
              formNoValidate
            >
              <Icon name="trash" />
              Remove logo
            </button>
          )}
        </div>
      </form>
    </section>
  )
}

function BrandForm({ view }: { view: BrandingView }) {
  const { typed } = view
  return (
    <form
      className="sheet"
      method="post"
      action={settingsAction('branding')}
      noValidate
      data-enhance
      data-quiet
      data-failed="The brand could not be saved"
    >
      <div>
        <TextField
          label="Name"
          hint="Shown in place of DriveQR."
          id="brand_name"
          name="brand_name"
          defaultValue={typed.brand_name}
          maxLength={BRAND_LENGTHS.brand_name}
          error={errorOf(view, 'brand_name')}
        />
        <p className="small" id="print-warning" role="status">
          {printWarning(typed.brand_name)}
        </p>
      </div>
      <div className="colour">
        <input
          className="needs-script"
          type="color"
          id="colour-wheel"
          defaultValue={/^#[0-9a-f]{6}$/i.test(typed.colour) ? typed.colour : '#ffc61a'}
          aria-label="Choose a colour"
        />
        <TextField
          label="Colour"
          hint="The ground of your pages, like #1a2b3c"
          id="colour"
          name="colour"
          defaultValue={typed.colour}
          maxLength={7}
          spellCheck={false}
          dir="ltr"
          error={errorOf(view, 'colour')}
        />
      </div>
      <p className="row gap-2" role="status">
        <span className="badge badge-go" id="contrast">
          {contrastText(typed.colour)}
        </span>
      </p>
      <TextField
        label="Footer"
        id="footer"
        name="footer"
        defaultValue={typed.footer}
        maxLength={BRAND_LENGTHS.footer}
        error={errorOf(view, 'footer')}
        optional
      />
      <HideName view={view} />
      <div className="save">
        <button className="btn btn-main" type="submit" id="save" data-busy="Saving...">
          Save
        </button>
      </div>
    </form>
  )
}

/** A switch that hides the product's name, or an offer of the plan that has it. */
function HideName({ view }: { view: BrandingView }) {
  if (!view.canHide) {
    return (
      <Note icon="crown">
        {'Enterprise can hide DriveQR and have an own address. '}
        <a href={upgradeHref()} data-dialog="upgrade">
          Upgrade
        </a>
      </Note>
    )
  }
  return (
    <label className="toggle">
      <input type="hidden" name="hide_product_name" value="false" />
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
        role="switch"
        name="hide_product_name"
        value="true"
        defaultChecked={view.typed.hide_product_name}
        aria-describedby="hide-hint"
      />
      <span>
        Hide DriveQR
        <small className="block soft" id="hide-hint">
          {errorOf(view, 'hide_product_name') ??
            'No name, mark or link of ours for finders and child users.'}
        </small>
      </span>
    </label>
  )
}

/** Leads to the address, also when the plan that it came with has ended: printed codes still use it. */
export function AddressRow({
  view: { canHide, domain },
}: {
  view: Pick<BrandingView, 'canHide' | 'domain'>
}) {
  if (!canHide && !domain) return null
  return (
    <section className="sheet">
      <div className="row between">
        <div>
          <h2>Own address</h2>
          <span className="small soft any-break" dir="ltr">
            {domain?.name ?? 'None'}
          </span>{' '}
          {domain && (
            <Badge tone={domain.isVerified ? 'go' : 'warn'} dot="full">
              {domain.isVerified ? 'Verified' : 'Not verified'}
            </Badge>
          )}
        </div>
        <a className="btn btn-sm" href={settingsHref('branding/domain')}>
          <Icon name="globe" />
          Manage
        </a>
      </div>
    </section>
  )
}

/** The pages as the form would make them; without script, as they are saved. */
function Preview({ typed, version }: { typed: Typed; version: string }) {
  return (
    <section className="sheet previews" aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      {PREVIEWS.map(({ id, label }) => {
        const src = previewHref(id, { ...typed, version })
        return (
          <figure key={id}>
            {id === 'label' ? (
              <img data-preview={id} src={src} alt="A code in your colour" width={240} />
            ) : (
              <iframe data-preview={id} src={src} title={label} loading="lazy" tabIndex={-1} />
            )}
            <figcaption className="small soft">{label}</figcaption>
          </figure>
        )
      })}
    </section>
  )
}

/** Instead of the page, for an account that cannot have a brand. */
export function NoBranding({ message, isOffered }: { message: string; isOffered: boolean }) {
  return (
    <Note
      icon="crown"
      action={
        isOffered && (
          <a className="btn btn-sm btn-brand" href={upgradeHref()} data-dialog="upgrade">
            Upgrade
          </a>
        )
      }
    >
      {message}
    </Note>
  )
}
