import { Argument, type Command, Option } from 'commander'
import { toReportView } from '#actions/conversations/reports.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { type ListedReport, listReports } from '#db/conversations/moderated-reports.ts'
import { decideReport, reopenReport } from '#db/conversations/report-decisions.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import {
  DECISION_TEXTS,
  REPORT_REASON_WORDS,
  REPORT_STATUSES,
  type ReportStatus,
} from '#domain/conversations/moderation.ts'
import { REPORT_ACTIONS, type ReportAction } from '#domain/conversations/report.ts'
import {
  type Answer,
  answering,
  type Context,
  example,
  type Installation,
  LISTED_ID,
} from '#scripts/_context.ts'
import { formatMomentIn, toTable } from '#scripts/_terminal.ts'

export function addReportCommands(program: Command, context: Context): void {
  const report = program.command('report').description('reports of pages and conversations')
  report
    .command('list')
    .description('list the reports, newest first')
    .addOption(new Option('--status <status>', 'only those').choices(REPORT_STATUSES))
    .addHelpText('after', example('report list --status open', 'report list --json'))
    .action(answering(context, list))
  report
    .command('decide')
    .description('decide an open report')
    .addArgument(LISTED_ID)
    .addArgument(new Argument('<action>', 'what is done').choices(REPORT_ACTIONS))
    .addHelpText('after', example('report decide Zr3n7qk2c9h4tz dismiss'))
    .action(answering(context, decide))
  report
    .command('reopen')
    .description('open a decided report again; its code or popup images are switched on')
    .addArgument(LISTED_ID)
    .addHelpText('after', example('report reopen Zr3n7qk2c9h4tz'))
    .action(answering(context, reopen))
}

async function list(
  { db, config }: Installation,
  { status }: { status?: ReportStatus },
): Promise<Answer> {
  const { reports } = await listReports(db, { status })
  const rows = reports.map((report) => [
    report.id,
    report.kind,
    REPORT_REASON_WORDS[report.reason],
    formatQrId(report.qr_id),
    formatMomentIn(config.terminalZone, report.created_at),
    report.action ? DECISION_TEXTS[report.action] : 'open',
  ])
  return {
    view: reports.map(toReportView),
    text:
      rows.length === 0
        ? `There is no ${status ? `${status} ` : ''}report`
        : toTable(['ID', 'KIND', 'REASON', 'CODE', 'REPORTED', 'STATE'], rows),
  }
}

async function decide(
  { db, now }: Installation,
  id: string,
  action: ReportAction,
): Promise<Answer> {
  const decided = await decideReport(db, COMMAND_LINE, id, action, now)
  const text = `${DECISION_TEXTS[action]} (${formatQrId(decided.qr_id)})`
  return { view: toReportView(decided), text }
}

async function reopen({ db, now }: Installation, id: string): Promise<Answer> {
  const report = await reopenReport(db, COMMAND_LINE, id, now)
  return { view: toReportView(report), text: stateOf(report) }
}

function stateOf({ qr_id, code, is_code_active }: ListedReport): string {
  const state = code === 'deleted' ? 'deleted' : is_code_active ? 'active' : 'inactive'
  return `The report is open again. Its code ${formatQrId(qr_id)} is ${state}`
}
