# Workbench from R: this file and the packages processx and jsonlite, which Debian has as r-cran-processx and
# r-cran-jsonlite.
#
#     source("workbench.R")
#     wb <- workbench()
#     wb$molecules$list()                              # tables are data frames
#     wb$pathcase$fba("model.xml", maximize = "R_X")   # records are lists
#     save_picture(wb$molecules$render("4hhb", size = "800x600"), "4hhb.png")
#     close(wb)
#
# Dashes in names of commands and options become underscores. An error is a condition of the class workbench_error with
# code, message, advice and details. Documentation/Serving.md describes the protocol.

#' Starts Workbench; `options` are words such as "--offline" or c("--home", "lab").
workbench <- function(program = Sys.getenv("WORKBENCH_PROGRAM", "workbench"), options = character(),
                      on_progress = NULL) {
  state <- new.env()
  state$notes <- tempfile("workbench-")
  state$process <- processx::process$new(program, c("serve", "--stdio", options), stdin = "|", stdout = "|",
                                         stderr = state$notes, encoding = "UTF-8", cleanup = TRUE)
  state$last_id <- state$sent_id <- 0
  # Bytes that the server has not taken yet, and lines from it that nothing has looked at.
  state$unsent <- raw()
  state$lines <- character()
  state$on_progress <- on_progress
  self <- structure(list(), state = state, class = "workbench")
  tryCatch(.request(self, "hello", list(protocol = 1, client = "R")), error = function(error) {
    close(self)
    stop(error)
  })
  self
}

#' Ends a Workbench.
close.workbench <- function(con, ...) {
  state <- attr(con, "state")
  try(base::close(state$process$get_input_connection()), silent = TRUE)
  state$process$wait(45000)
  state$process$kill()
  unlink(state$notes)
  invisible()
}

`$.workbench` <- function(x, name) structure(list(), workbench = x, group = name, class = "workbench_group")

`$.workbench_group` <- function(x, name) {
  method <- paste0(attr(x, "group"), ".", name)
  function(...) call_command(attr(x, "workbench"), method, ...)
}

print.workbench <- function(x, ...) cat("<workbench>\n")

#' Runs a command, such as call_command(wb, "version") or call_command(wb, "molecules.info", "4hhb").
#'
#' Unnamed values are arguments, named ones options; `size` is that of a picture.
call_command <- function(wb, method, ...) {
  values <- list(...)
  is_named <- nzchar(if (is.null(names(values))) character(length(values)) else names(values))
  parameters <- list(command = gsub("_", "-", method), arguments = unname(values[!is_named]),
                     options = values[is_named & names(values) != "size"], size = values[["size"]])
  if (length(parameters$options) == 0) parameters$options <- NULL
  .request(wb, "call", parameters)
}

#' Writes a picture to a PNG file.
save_picture <- function(picture, path) writeBin(jsonlite::base64_dec(picture$data), path)

.request <- function(wb, method, parameters) {
  state <- attr(wb, "state")
  state$last_id <- id <- state$last_id + 1
  # Ctrl-C cancels the call, and waits for its end.
  response <- tryCatch({
    .send(state, list(id = id, method = method, params = parameters))
    .response(state, id)
  }, interrupt = function(interrupt) {
    if (state$sent_id == id) {
      .send(state, list(method = "cancel", params = list(id = id)))
      .response(state, id)
    }
    stop(interrupt)
  })
  if (is.null(response$error)) return(response$result)
  data <- response$error$data
  stop(structure(class = c("workbench_error", "error", "condition"), list(
    message = paste(c(response$error$message, data$advice), collapse = "; "), call = NULL, code = data$code,
    advice = data$advice, details = data$details)))
}

.send <- function(state, message) {
  line <- jsonlite::toJSON(c(list(jsonrpc = "2.0"), message), auto_unbox = TRUE, null = "null", digits = NA)
  bytes <- charToRaw(enc2utf8(paste0(line, "\n")))
  # What an interrupt leaves is sent before the next message, so there are no half lines.
  suspendInterrupts({
    state$unsent <- c(state$unsent, bytes)
    if (!is.null(message$id)) state$sent_id <- message$id
  })
  repeat {
    before <- length(state$unsent)
    suspendInterrupts(state$unsent <- state$process$write_input(state$unsent))
    if (length(state$unsent) == 0) break
    # The pipe is full: the server may read no further until its output is read.
    if (length(state$unsent) == before) .read(state, 20)
  }
}

# Reads lines from the server, for which it waits a number of milliseconds; -1 is without end.
.read <- function(state, milliseconds) {
  state$process$poll_io(milliseconds)
  suspendInterrupts(state$lines <- c(state$lines, state$process$read_output_lines()))
  if (length(state$lines) == 0 && !state$process$is_incomplete_output()) {
    stop("workbench has ended: ", paste(tail(readLines(state$notes, warn = FALSE), 1), collapse = ""), call. = FALSE)
  }
}

.response <- function(state, id) {
  repeat {
    if (length(state$lines) == 0) .read(state, -1)
    while (length(state$lines) > 0) {
      message <- jsonlite::fromJSON(state$lines[1])
      state$lines <- state$lines[-1]
      if (identical(message$method, "progress") && !is.null(state$on_progress)) {
        state$on_progress(message$params$label, message$params$fraction)
      } else if (identical(message$method, "warn")) {
        warning(paste(c(message$params$message, message$params$advice), collapse = "; "), call. = FALSE)
      } else if (is.null(message$method) && identical(as.numeric(message$id), id)) {
        return(message)
      }
    }
  }
}
