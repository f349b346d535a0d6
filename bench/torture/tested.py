"""Lists the promises that tests hold, by the name of their check in `make torture`."""

from __future__ import annotations

from collections.abc import Mapping

from bench.torture.promises import TestedPromise

_BUDGET = "tests/engine/money/test_budget.py"
_BILLING = "tests/engine/money/test_billing.py"
_LIMITS = "tests/metrics/replies/test_limits.py"
_HOSTILE = "tests/safety/test_hostile_replies.py"
_ERRORS = "tests/backends/openai/test_errors.py"
_SCAN = "tests/engine/export/test_secret_scan.py"
_DOWNLOADS = "tests/engine/images/test_downloads.py"
_DEADLINES = "tests/backends/network/test_deadlines.py"
_FOREIGN = "tests/safety/test_foreign_requests.py"
_PUBLIC = "tests/safety/test_public_app.py"
_QUOTAS = "tests/safety/test_quotas.py"
_AGREEMENT = "tests/pages/agreement/test_state.py"
_GUARD = "tests/pages/server/test_http_guard.py"
_DATABASE = "tests/engine/storage/test_database.py"
_ENDPOINTS = "tests/pages/api/test_endpoints.py"

PROMISES: Mapping[str, TestedPromise] = {
    "interrupted": TestedPromise(
        "a sweep stopped by a person or killed goes on where it was",
        (
            "tests/engine/sweep/test_runner.py::"
            "test_a_stop_ends_it_cleanly_and_the_next_run_goes_on",
            "tests/cli/test_main.py::test_an_interrupted_command_says_how_to_go_on",
            "tests/engine/storage/test_killed.py",
        ),
    ),
    "caps": TestedPromise(
        "16 calls at once at the cap, in threads and in two processes: no hang, never exceeded",
        (
            f"{_BUDGET}::test_a_cap_is_never_passed_however_many_calls_and_processes_are_at_it",
            f"{_BUDGET}::test_no_thread_waits_for_ever_at_the_cap",
            f"{_BUDGET}::test_a_service_that_writes_as_long_as_it_may_stays_within"
            "_what_was_held_back",
            f"{_BILLING}::test_two_processes_stay_within_the_cap_together",
            f"{_BILLING}::test_two_processes_on_one_store_pay_once_for_each_question_and_a_kill"
            "_costs_its_calls_in_flight",
        ),
    ),
    "left-out": TestedPromise(
        "30 % of the calls of every metric fail, scene-graph QA among them: no score changes with"
        " nothing left out",
        ("tests/metrics/test_failed_models.py",),
    ),
    "long-replies": TestedPromise(
        "captions and replies of over 1,000,000 characters, replies without end",
        (
            f"{_LIMITS}::test_hostile_and_huge_replies_raise_through_no_plan",
            f"{_LIMITS}::test_the_parser_refuses_a_text_that_would_take_it_minutes",
            f"{_LIMITS}::test_a_reply_over_the_limit_of_its_role_is_a_failure_that_shows"
            "_how_it_begins",
            _HOSTILE,
        ),
    ),
    "echoed-key": TestedPromise(
        "a key repeated by a service: in no store, error or export",
        (
            f"{_ERRORS}::test_a_service_that_repeats_the_key_cannot_make_us_tell_it",
            f"{_ERRORS}::test_stars_in_a_repeated_key_do_not_help_it_out",
            "tests/backends/test_keys.py",
            _SCAN,
            f"{_ENDPOINTS}::test_no_key_is_told",
        ),
    ),
    "typed-key": TestedPromise(
        "a key typed into the page: on no disk, at no address (deep_link), in no field",
        ("tests/safety/test_typed_keys.py",),
    ),
    "redirects": TestedPromise(
        "a service that redirects to another host",
        (
            "tests/backends/openai/test_connection.py::test_a_redirect_is_not_followed",
            f"{_DOWNLOADS}::test_a_redirect_to_the_inside_is_not_followed",
            f"{_DOWNLOADS}::test_the_default_client_takes_no_proxy_and_follows_no_redirect",
            "tests/safety/test_links_of_services.py",
        ),
    ),
    "drip": TestedPromise(
        "an endless drip from a service: threads and sockets come back",
        (
            f"{_DEADLINES}::test_a_drip_without_end_is_a_time_out_and_its_connections_and_threads"
            "_are_gone",
            f"{_DEADLINES}::test_after_a_drip_the_model_answers_again",
        ),
    ),
    "bad-arguments": TestedPromise(
        "endpoints with bad arguments, file and proxy addresses: no leak",
        (
            f"{_ENDPOINTS}::test_values_of_any_kind_are_taken_or_said",
            f"{_ENDPOINTS}::test_what_is_wrong_is_said_in_one_sentence",
            f"{_ENDPOINTS}::test_nothing_but_pictures_of_the_store_is_had",
            f"{_FOREIGN}::test_addresses_that_the_app_does_not_use_are_not_there",
            f"{_PUBLIC}::test_its_queue_is_bounded_its_uploads_go_and_its_inner_errors_are_not"
            "_told",
        ),
    ),
    "hostile-uploads": TestedPromise(
        "addresses of the inside (SSRF), hostile images, names that lead out of a folder",
        (
            f"{_DOWNLOADS}::test_what_is_not_plainly_public_is_not_called",
            f"{_DOWNLOADS}::test_a_host_that_changes_its_address_between_look_ups_is_called_where"
            "_it_was_checked",
            "tests/engine/images/test_uploads.py",
            "tests/safety/test_files_from_outside.py",
            "tests/engine/image_folders/test_archive.py",
            "tests/engine/image_folders/test_folder_files.py::"
            "test_a_path_that_leads_out_of_the_folder_is_refused",
        ),
    ),
    "markup": TestedPromise(
        "texts that are scripts (XSS), in the page and in a static site",
        (
            "tests/safety/test_escaping.py",
            "tests/browser/test_static_site.py::test_texts_that_try_to_be_markup_are_texts",
            "tests/browser/test_scene_graph_tab.py::"
            "test_forty_nodes_are_all_in_sight_and_a_hostile_text_runs_nothing",
            "tests/browser/test_dashboard.py::test_a_bad_prompt_gives_a_sentence_and_runs_nothing",
        ),
    ),
    "files": TestedPromise(
        "damaged workbooks and tables, files of any kind, formulas in tables",
        (
            "tests/data/files/test_question_files.py::test_a_damaged_file_never_stops_the_reader",
            "tests/data/files/test_table_forms.py::"
            "test_a_damaged_workbook_is_read_in_part_or_refused_in_a_sentence",
            "tests/data/files/test_ratings.py::"
            "test_a_file_that_is_no_text_table_is_refused_in_a_sentence",
            "tests/engine/export/test_tables.py::"
            "test_no_text_is_a_formula_and_every_text_is_read_as_it_was",
            "tests/components/leaderboard/test_controls.py::"
            "test_no_name_is_a_formula_in_a_spreadsheet",
        ),
    ),
    "rate-limit": TestedPromise(
        "a bounded queue and a rate for each visitor",
        ("tests/engine/deployment/test_rate_limit.py", _PUBLIC),
    ),
    "estimates": TestedPromise(
        "uploads through the cost estimate leave nothing; quotas of visitors",
        (_QUOTAS,),
    ),
    "large-input": TestedPromise(
        "200 MB of JSON, large agreement tables",
        (
            f"{_FOREIGN}::test_a_call_that_is_too_large_is_refused_before_it_is_read",
            f"{_FOREIGN}::test_a_call_that_does_not_say_how_large_it_is_is_read_no_further_than"
            "_it_may_be_long",
            f"{_GUARD}::test_a_call_that_does_not_arrive_is_given_up",
            f"{_AGREEMENT}::test_a_public_app_compares_tables_of_every_kind_up_to_a_size",
            f"{_AGREEMENT}::test_a_public_app_gives_a_comparison_so_many_seconds_and_ones_own"
            "_machine_all_it_takes",
            "tests/pages/shared/test_key_vault.py::"
            "test_so_many_sessions_and_so_long_a_key_are_held_and_no_more",
        ),
    ),
    "other-sites": TestedPromise(
        "requests from other sites, DNS rebinding, MCP",
        (
            _FOREIGN,
            "tests/engine/deployment/test_hosts.py",
            f"{_GUARD}::test_another_name_and_a_page_of_another_site_get_nothing",
        ),
    ),
    "services-addresses": TestedPromise(
        "addresses of the services of a public app are told to no visitor",
        ("tests/safety/test_untold_addresses.py",),
    ),
    "bad-start": TestedPromise(
        "wrong settings, arguments and places: one sentence each, of the dashboard and the command"
        " line",
        (
            "tests/engine/deployment/test_startup.py",
            "tests/cli/test_main.py::"
            "test_a_wrong_request_is_exit_code_2_and_one_sentence_on_standard_error",
            f"{_DATABASE}::test_a_store_that_may_not_be_written_is_one_sentence",
            f"{_DATABASE}::test_a_folder_that_cannot_be_made_is_one_sentence",
        ),
    ),
    "image-paths": TestedPromise(
        "no path of this machine in exports; an image that was exchanged is noticed",
        (
            "tests/engine/export/test_image_paths.py",
            "tests/engine/export/test_reader.py",
            "tests/engine/storage/test_images.py::"
            "test_a_picture_whose_file_was_changed_is_reported_and_left_out_until_it_is_made_anew",
        ),
    ),
    "retries": TestedPromise(
        "time-outs are tried again; one stray HTTP 400 takes nothing away",
        (
            f"{_ERRORS}::test_what_may_pass_is_raised_to_be_tried_again",
            "tests/engine/run/calls/test_attempts.py",
            "tests/backends/openai/test_requests.py::"
            "test_one_stray_complaint_that_names_nothing_takes_no_form_and_no_probabilities_away",
        ),
    ),
    "messages": TestedPromise(
        "a concept left out is told, a malformed database has the right remedy, joiners stay",
        (
            "tests/metrics/factualbench/test_plan.py::"
            "test_the_score_says_that_one_of_several_concepts_is_left_out",
            f"{_DATABASE}::test_the_remedy_for_a_malformed_database_is_a_backup_and_not_more_space",
            "tests/engine/run/test_validation.py::"
            "test_joiners_within_emoji_and_words_of_other_scripts_stay_in_a_prompt",
        ),
    ),
    "lock": TestedPromise(
        "every dependency pinned with the hash of its files",
        ("tests/safety/test_lock.py",),
    ),
    "without-ray": TestedPromise(
        "a machine on which no Ray ever ran",
        (
            "tests/engine/sweep/ray/test_cluster.py::"
            "test_without_ray_a_cluster_says_what_to_install",
            "tests/engine/sweep/ray/test_cluster.py::"
            "test_where_the_cluster_of_this_machine_has_crashed_another_is_started",
        ),
    ),
}
