import { useEffect, useState } from 'react'
import { Icon } from '#components/icons/icon.tsx'

/** The chosen file, as a picture if it is one. */
export function ChosenFile({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file.type.startsWith('image/')) return setUrl(undefined)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <>
      {url ? (
        <img className="preview" src={url} alt="" onError={() => setUrl(undefined)} />
      ) : (
        <Icon name="doc" />
      )}
      <span className="small any-break">{file.name}</span>
    </>
  )
}
