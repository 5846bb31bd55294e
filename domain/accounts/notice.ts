/** The version of the privacy notice until the operator names another one: the default of the setting. */
export const FIRST_NOTICE = '1'

/** Where the button goes by which somebody says that they read a changed notice. */
export const NOTICE_ACTION = '/dashboard/notice'
