CREATE TABLE IF NOT EXISTS fin_ods.ods_gl_journal_line_di (
    journal_id     STRING        COMMENT 'journal document number',
    line_no        INT           COMMENT 'line inside the journal',
    company_code   STRING        COMMENT 'legal entity',
    account_code   STRING        COMMENT 'general ledger account',
    cost_center    STRING        COMMENT 'cost center, may be empty',
    currency_code  STRING        COMMENT 'document currency',
    dr_amount      DECIMAL(18,2) COMMENT 'debit amount, document currency',
    cr_amount      DECIMAL(18,2) COMMENT 'credit amount, document currency',
    source_system  STRING        COMMENT 'SAP / BILLING / PAYROLL',
    post_status    STRING        COMMENT 'POSTED / PARKED / HELD',
    description    STRING        COMMENT 'free text of the line',
    posting_date   STRING        COMMENT 'posting date yyyy-MM-dd',
    modified_time  STRING        COMMENT 'last change in the ERP',
    load_seq       BIGINT        COMMENT 'unique load sequence'
) COMMENT 'ERP journal lines, daily increment'
PARTITIONED BY (dt STRING COMMENT 'load date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_dim.dim_gl_account_df (
    account_code   STRING COMMENT 'general ledger account',
    account_name   STRING COMMENT 'account name',
    account_type   STRING COMMENT 'ASSET / LIABILITY / EQUITY / PNL',
    parent_code    STRING COMMENT 'parent account',
    is_control     STRING COMMENT 'Y when a sub-ledger must tie to it',
    open_date      STRING COMMENT 'opened on',
    close_date     STRING COMMENT 'closed on'
) COMMENT 'chart of accounts'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_dim.dim_fx_rate_di (
    currency_code  STRING COMMENT 'currency',
    rate_type      STRING COMMENT 'CLOSING / AVERAGE',
    rate           STRING COMMENT 'rate to local currency, text from the feed',
    inverse_rate   STRING COMMENT 'local currency to foreign',
    provider       STRING COMMENT 'rate provider',
    published_at   STRING COMMENT 'publication time'
) COMMENT 'daily exchange rates'
PARTITIONED BY (dt STRING COMMENT 'rate date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_dwd.dwd_subledger_txn_di (
    txn_id         STRING        COMMENT 'sub-ledger transaction',
    subledger      STRING        COMMENT 'AR / AP / FA',
    company_code   STRING        COMMENT 'legal entity',
    account_code   STRING        COMMENT 'control account',
    partner_id     STRING        COMMENT 'customer, vendor or asset',
    txn_amount     DECIMAL(18,2) COMMENT 'net amount, local currency',
    tax_amount     DECIMAL(18,2) COMMENT 'tax amount, local currency',
    txn_status     STRING        COMMENT 'OPEN / CLEARED / DRAFT / REVERSED',
    txn_date       STRING        COMMENT 'transaction date',
    due_date       STRING        COMMENT 'due date',
    reversal_of    STRING        COMMENT 'reversed transaction'
) COMMENT 'sub-ledger transactions'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_ods.ods_recon_comment_df (
    comment_id       BIGINT        COMMENT 'primary key',
    company_code     STRING        COMMENT 'legal entity',
    account_code     STRING        COMMENT 'control account',
    reason_code      STRING        COMMENT 'TIMING / FX / MANUAL',
    explained_amount DECIMAL(18,2) COMMENT 'explained part of the difference',
    author_id        STRING        COMMENT 'who wrote it',
    reviewer_id      STRING        COMMENT 'who approved it',
    approved_flag    STRING        COMMENT 'Y / N',
    create_time      STRING        COMMENT 'written at',
    review_time      STRING        COMMENT 'approved at'
) COMMENT 'manual explanations of reconciliation differences'
PARTITIONED BY (dt STRING COMMENT 'snapshot date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_dws.dws_gl_account_balance_di (
    company_code   STRING        COMMENT 'legal entity',
    account_code   STRING        COMMENT 'general ledger account',
    account_type   STRING        COMMENT 'account type',
    is_control     STRING        COMMENT 'control account flag',
    line_cnt       BIGINT        COMMENT 'posted lines',
    dr_amount_lc   DECIMAL(38,6) COMMENT 'debits in local currency',
    cr_amount_lc   DECIMAL(38,6) COMMENT 'credits in local currency',
    source_systems STRING        COMMENT 'feeding systems'
) COMMENT 'daily movement per account'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;

CREATE TABLE IF NOT EXISTS fin_ads.ads_gl_subledger_recon_di (
    row_type       STRING        COMMENT 'DETAIL / TOTAL',
    company_code   STRING        COMMENT 'legal entity or ALL',
    account_code   STRING        COMMENT 'account, or account type in TOTAL rows',
    `source`       STRING        COMMENT 'sub-ledgers or GL',
    gl_net         DECIMAL(38,6) COMMENT 'general ledger net',
    sl_net         DECIMAL(38,6) COMMENT 'sub-ledger net',
    open_diff      DECIMAL(38,6) COMMENT 'difference not explained',
    recon_status   STRING        COMMENT 'status',
    reason_code    STRING        COMMENT 'explanation',
    item_cnt       BIGINT        COMMENT 'number of items'
) COMMENT 'control account reconciliation'
PARTITIONED BY (dt STRING COMMENT 'business date')
STORED AS ORC;
