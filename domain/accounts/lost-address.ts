/** The action of the form by which an account says that it has read that it lost its address. */
export const LOST_ADDRESS_ACTION = '/dashboard/lost-address'
