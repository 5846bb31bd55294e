export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 30V15a13 13 0 0 1 26 0v15z" fill="#fff" stroke="#1a1710" strokeWidth="2.5" />
      <path d="M4.2 15a11.8 11.8 0 0 1 23.6 0z" fill="#ffc61a" />
      <path d="M3 15h26" stroke="#1a1710" strokeWidth="2.5" />
      <path
        d="M8.5 18.5h6v6h-6zM18 18.5h2.5V21H18zM21.5 22.5h2.5V25h-2.5zM18 24.5h2V27h-2zM8.5 26h3v1.5h-3z"
        fill="#1a1710"
      />
      <path d="M13.5 9.5a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0z" fill="#1a1710" />
    </svg>
  )
}
