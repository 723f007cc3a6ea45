# Write plugins for Workbench in R: this file, R 4.0 or newer, and the package jsonlite.
#
#     script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
#     source(file.path(dirname(script), "workbench_plugin.R"))
#
#     plugin <- new_plugin("words", "Words", "1.0.0", "Counts words of text files")
#
#     plugin$command("count", "Count the words of a file", table = list(word = "text", count = "integer"),
#       parameters = list(file = input_file("Text file", "txt"), least = integer_value("Smallest count", default = 1)),
#       run = function(call, file, least) {
#         ...
#         words  # a data frame with the columns of the table
#       })
#
#     plugin$run()
#
# `Rscript main.R --manifest > plugin.json` writes the manifest, from which Workbench knows the plugin without starting
# it. A parameter without a default is an argument, one with a default an option. Documentation/Plugins.md describes the
# protocol. R runs one call at a time: others wait until it ends or makes a request. A cancellation is noticed while the
# call waits for the response to a request, and ends the call when it next emits, reports progress or makes a request.

# Errors

#' Ends a command with an error as users and scripts see it: a code such as `words.no-text`, a sentence, and advice.
#'
#' `kind` is failure, usage, notFound, pluginFailed, unusableInput, network, refused or timedOut.
fail <- function(code, message, advice = NULL, kind = "failure", details = list(), retryable = FALSE) {
  report <- list(code = code, kind = kind, message = message, advice = advice,
                 details = .as_record(details), isRetryable = retryable)
  stop(structure(class = c("workbench_error", "error", "condition"),
                 list(message = message, call = NULL, report = report)))
}

# Parameters: the first value is the summary.

.parameter <- function(kind, summary, default, repeatable, completion) {
  parameter <- list(kind = kind, summary = summary, required = is.null(default), repeatable = repeatable,
                    default = default)
  if (!is.null(completion)) parameter$completion <- list(command = completion[[1]], column = completion[[2]])
  parameter
}

#' A parameter that is a text. `completion` names the command and the column that list its values.
text_value <- function(summary, default = NULL, repeatable = FALSE, completion = NULL) {
  .parameter(list(is = "text"), summary, default, repeatable, completion)
}

#' A parameter that is a whole number, between bounds if both are given.
integer_value <- function(summary, default = NULL, minimum = NULL, maximum = NULL, repeatable = FALSE) {
  kind <- list(is = "integer")
  if (!is.null(minimum)) kind$minimum <- minimum
  if (!is.null(maximum)) kind$maximum <- maximum
  .parameter(kind, summary, default, repeatable, NULL)
}

#' A parameter that is a number.
number_value <- function(summary, default = NULL, repeatable = FALSE) {
  .parameter(list(is = "number"), summary, default, repeatable, NULL)
}

#' An option that is off unless it is named.
flag_value <- function(summary) .parameter(list(is = "flag"), summary, FALSE, FALSE, NULL)

#' A parameter that is one of several words.
choice_value <- function(summary, words, default = NULL) {
  .parameter(list(is = "choice", words = as.list(words)), summary, default, FALSE, NULL)
}

#' A parameter that is the path of a file to read, with the extensions that completion offers.
input_file <- function(summary, ..., default = NULL, repeatable = FALSE) {
  .parameter(list(is = "inputFile", words = list(...)), summary, default, repeatable, NULL)
}

#' A parameter that is the path of a file to write.
output_file <- function(summary, default = NULL) .parameter(list(is = "outputFile"), summary, default, FALSE, NULL)

# Values

#' Gives a value the name of its type, which chooses the text renderer.
typed <- function(name, value) structure(list(name = name, value = value), class = "workbench_typed")

#' Makes a picture of RGBA bytes, row by row from the top left: a raw vector of 4 * width * height.
picture <- function(width, height, pixels) {
  stopifnot(is.raw(pixels), length(pixels) == 4 * width * height)
  structure(list(width = width, height = height, pixels = pixels), class = "workbench_picture")
}

.json <- function(text) structure(text, class = "workbench_json")
# Without the line breaks that jsonlite adds.
.base64 <- function(bytes) gsub("\n", "", jsonlite::base64_enc(bytes), fixed = TRUE)
.as_record <- function(list) if (length(list) == 0) .json("{}") else list

# JSON texts of a vector without names; jsonlite keeps 15 digits of a number, where 17 may be needed.
.scalars <- function(vector) {
  if (is.factor(vector)) vector <- as.character(vector)
  if (is.logical(vector)) return(ifelse(is.na(vector), "null", ifelse(vector, "true", "false")))
  if (is.integer(vector)) return(ifelse(is.na(vector), "null", format(vector, trim = TRUE, scientific = FALSE)))
  if (is.double(vector)) {
    text <- sprintf("%.15g", vector)
    inexact <- is.finite(vector) & suppressWarnings(as.numeric(text)) != vector
    text[inexact] <- sprintf("%.17g", vector[inexact])
    text[is.infinite(vector)] <- ifelse(vector[is.infinite(vector)] > 0, '{"$number":"inf"}', '{"$number":"-inf"}')
    text[is.nan(vector)] <- '{"$number":"nan"}'
    text[is.na(vector) & !is.nan(vector)] <- "null"
    return(text)
  }
  vector <- iconv(enc2utf8(as.character(vector)), "UTF-8", "UTF-8", sub = "\ufffd")
  vapply(vector, function(text) {
    if (is.na(text)) return("null")
    array <- as.character(jsonlite::toJSON(text))
    substr(array, 2, nchar(array) - 1)
  }, "", USE.NAMES = FALSE)
}

.object <- function(names, texts) paste0("{", paste0(.scalars(names), ":", texts, collapse = ","), "}")
.array <- function(texts) paste0("[", paste(texts, collapse = ","), "]")
.dates <- function(times) {
  # Rounded first: %OS3 cuts, and 0.123 s is a little less than that.
  milliseconds <- round(as.numeric(as.POSIXct(times)) * 1000)
  seconds <- as.POSIXct(milliseconds %/% 1000, origin = "1970-01-01", tz = "UTC")
  text <- paste0(format(seconds, "%Y-%m-%dT%H:%M:%S", tz = "UTC"), sprintf(".%03.0fZ", milliseconds %% 1000))
  ifelse(is.na(times), "null", paste0('{"$date":"', text, '"}'))
}

#' Returns a value as a text of JSON of the protocol: vectors of one element are that element, longer ones are lists,
#' data frames are tables; NA is null.
to_wire <- function(value) {
  if (is.null(value)) return("null")
  if (inherits(value, "workbench_json")) return(as.character(value))
  if (inherits(value, "workbench_typed")) {
    return(paste0('{"$type":', to_wire(value$name), ',"$value":', to_wire(value$value), "}"))
  }
  if (inherits(value, "workbench_picture")) {
    content <- list(width = value$width, height = value$height, pixels = .base64(value$pixels))
    return(paste0('{"$picture":', to_wire(content), "}"))
  }
  if (is.data.frame(value)) return(.table(value, as.list(sapply(value, .column_type, simplify = FALSE))))
  if (is.raw(value)) return(paste0('{"$bytes":', .scalars(.base64(value)), "}"))
  if (inherits(value, c("POSIXct", "POSIXlt", "Date"))) {
    dates <- .dates(value)
    return(if (length(value) == 1) dates else .array(dates))
  }
  elements <- if (is.list(value)) vapply(value, to_wire, "", USE.NAMES = FALSE) else .scalars(value)
  names <- names(value)
  if (!is.null(names)) {
    if (length(names) == 0) return("{}")
    if (startsWith(names[[1]], "$")) {
      return(paste0('{"$record":', .array(paste0("[", .scalars(names), ",", elements, "]")), "}"))
    }
    return(.object(names, elements))
  }
  if (!is.list(value) && length(value) == 1) elements else .array(elements)
}

.column_type <- function(column) {
  if (is.integer(column) && !is.factor(column)) "integer" else if (is.double(column) && !inherits(column, "POSIXct")) {
    "number"
  } else if (is.logical(column)) "bool" else if (inherits(column, c("POSIXct", "Date"))) "date" else "text"
}

# A column as declared: a type, or a list of type, title, unit, decimals and summary.
.declared <- function(column) if (is.list(column)) column else list(type = column)

.table <- function(frame, columns) {
  if (!is.data.frame(frame)) frame <- as.data.frame(frame, stringsAsFactors = FALSE)
  missing <- setdiff(names(columns), names(frame))
  if (length(missing) > 0) stop("the table has no column '", missing[[1]], "'")
  texts <- vapply(names(columns), function(name) {
    column <- .declared(columns[[name]])
    values <- frame[[name]]
    if (inherits(values, "Date")) values <- as.POSIXct(values)
    whole <- is.numeric(values) && all(is.finite(values)) && all(values == round(values))
    kind <- switch(column$type, integer = if (whole) "integers" else "values", number = "numbers",
                   text = if (anyNA(values)) "values" else "texts", "values")
    if (identical(column$type, "text")) values <- as.character(values)
    elements <- if (inherits(values, "POSIXct")) .dates(values) else .scalars(values)
    if (kind == "integers") elements <- sprintf("%.0f", as.double(values))
    if (kind == "numbers") elements[elements == '{"$number":"nan"}'] <- "null"
    field <- list(name = name, title = if (is.null(column$title)) name else column$title, unit = column$unit,
                  kind = kind, decimals = column$decimals, values = .json(.array(elements)))
    to_wire(field)
  }, "")
  paste0('{"$table":', .array(texts), "}")
}

#' Returns the value that JSON of the protocol stands for: lists of one type of scalars are vectors, tables data frames.
from_wire <- function(json) {
  if (!is.list(json)) return(json)
  kind <- names(json)[1]
  if (is.null(kind)) {
    values <- lapply(json, from_wire)
    classes <- unique(vapply(values, function(value) class(value)[1], ""))
    is_vector <- length(values) > 0 && all(lengths(values) == 1) &&
      (length(classes) == 1 && classes %in% c("character", "logical") || all(classes %in% c("integer", "numeric")))
    return(if (is_vector) unlist(values) else values)
  }
  if (!startsWith(kind, "$")) return(lapply(json, from_wire))
  content <- json[[kind]]
  switch(kind,
    "$type" = , "$value" = from_wire(json[["$value"]]),
    "$number" = as.numeric(content), "$decimal" = as.numeric(content),
    "$bytes" = jsonlite::base64_dec(content),
    "$date" = as.POSIXct(sub("Z$", "", content), format = "%Y-%m-%dT%H:%M:%OS", tz = "UTC"),
    "$quantity" = structure(from_wire(content[[1]]), unit = content[[2]]),
    "$record" = {
      names <- vapply(content, function(pair) pair[[1]], "")
      stats::setNames(lapply(content, function(pair) from_wire(pair[[2]])), names)
    },
    "$table" = {
      names <- vapply(content, function(column) column$name, "")
      columns <- lapply(content, function(column) {
        values <- lapply(column$values, function(value) if (is.null(value)) NA else from_wire(value))
        if (all(lengths(values) == 1)) do.call(c, values) else I(values)
      })
      count <- if (length(content) == 0) 0 else length(content[[1]]$values)
      columns <- lapply(columns, function(column) if (is.null(column)) logical(0) else column)
      structure(stats::setNames(columns, names), class = "data.frame", row.names = seq_len(count))
    },
    content)
}

# The plugin

#' Makes a plugin: a list of functions that declare its parts, call the host, and run it.
new_plugin <- function(id, name, version, summary) {
  plugin <- new.env()
  manifest <- list(commands = list(), textRenderers = list(), fileTypes = list(), settings = list(), checks = list(),
                   screens = list(), topics = list(), errorCodes = list())
  commands <- renderers <- checks <- handlers <- list()
  input <- output <- NULL
  canceled <- character() # ids of calls
  last_id <- 0

  declare <- function(part, value) manifest[[part]] <<- c(manifest[[part]], list(value))

  #' Declares a command: `run` gets the call and the parameters, and returns its result or NULL.
  #'
  #' `table` has a type for each column of the result: text, integer, number, bool or date, or a list of `type`,
  #' `title`, `unit`, `decimals` and `summary`. `type` is the name of the result's type. `picture` is TRUE if the
  #' result is a picture: the command then has the options of pictures, and `call$picture_size`, width and height, is
  #' what `--size` asks for.
  plugin$command <- function(name, summary, run, parameters = list(), table = NULL, type = NULL, stream = FALSE,
                             effects = "reads", examples = list(), discussion = "", picture = FALSE) {
    if (picture && !is.null(table)) stop("the result of command '", name, "' is a table or a picture, not both")
    named <- Map(function(parameter, name) c(list(name = gsub("_", "-", name)), parameter), parameters,
                 names(parameters))
    required <- vapply(parameters, function(parameter) parameter$required, TRUE)
    fields <- lapply(names(table), function(name) {
      column <- .declared(table[[name]])
      field <- list(name = name, schema = list(is = column$type),
                    summary = if (is.null(column$summary)) "" else column$summary)
      if (!is.null(column$title)) field$heading <- column$title
      c(field, column[intersect(names(column), c("unit", "decimals"))])
    })
    schema <- if (!is.null(table)) list(is = "table", fields = fields) else list(is = if (picture) "picture" else "any")
    lines <- lapply(names(examples), function(line) list(line = line, summary = examples[[line]]))
    declare("commands", list(
      name = name, summary = summary, discussion = discussion, arguments = unname(named[required]),
      options = unname(named[!required]), examples = lines, effects = as.list(effects),
      output = list(schema = schema, type = type, stream = stream)))
    commands[[name]] <<- list(run = run, table = table, type = type, parameters = names(parameters))
  }

  #' Declares a text renderer: the function gets the value and the width, and returns text.
  plugin$renderer <- function(type, render) {
    declare("textRenderers", type)
    renderers[[type]] <<- render
  }

  #' Declares a check of `workbench doctor`: the function returns problems, as texts.
  plugin$check <- function(name, summary, run) {
    declare("checks", list(name = name, summary = summary))
    checks[[name]] <<- run
  }

  #' Declares a file type that a command opens, with the path as its first argument.
  plugin$file_type <- function(name, extensions, command) {
    declare("fileTypes", list(name = name, extensions = as.list(extensions), command = command,
                              magic = list("$bytes" = "")))
  }

  #' Declares a setting with a parameter such as `text_value("Unit of lengths", default = "metre")`.
  plugin$setting <- function(name, value) {
    declare("settings", list(name = name, kind = value$kind, summary = value$summary, default = value$default))
  }

  #' Declares a topic of notifications.
  plugin$topic <- function(name, summary) {
    declare("topics", list(name = name, summary = summary, payload = list(is = "any")))
  }

  #' Declares the code of an error, for the catalog of errors.
  plugin$error <- function(code, summary) declare("errorCodes", list(code = code, summary = summary))

  send <- function(message) {
    writeLines(to_wire(c(list(jsonrpc = "2.0"), message)), output, useBytes = TRUE)
    flush(output)
  }
  notify <- function(method, ...) send(list(method = method, params = list(...)))
  receive <- function() {
    line <- readLines(input, n = 1, warn = FALSE, encoding = "UTF-8")
    if (length(line) == 0) NULL else jsonlite::fromJSON(line, simplifyVector = FALSE)
  }

  request <- function(method, ...) {
    last_id <<- last_id + 1
    id <- last_id
    send(list(id = id, method = method, params = list(...)))
    repeat {
      message <- receive()
      if (is.null(message)) quit(status = 0)
      if (is.null(message$method) && identical(as.numeric(message$id), id)) break
      if (identical(message$method, "$/cancel")) {
        canceled <<- c(canceled, as.character(message$params$id))
      } else {
        handle(message) # such as a call of this plugin by the command that this request called
      }
    }
    error <- message$error
    if (is.null(error)) return(from_wire(message$result))
    if (identical(as.numeric(error$code), -32800)) stop(.canceled())
    report <- from_wire(error$data)
    fail(if (is.null(report$code)) "host.failure" else report$code, error$message, report$advice,
         if (is.null(report$kind)) "failure" else report$kind)
  }

  .canceled <- function() {
    structure(class = c("workbench_canceled", "error", "condition"), list(message = "canceled", call = NULL))
  }

  #' Returns the value of a setting.
  plugin$get <- function(setting) request("setting", name = setting)

  #' Sends a notification to all subscribers.
  plugin$notify <- function(topic, payload = NULL) {
    invisible(request("notify", topic = topic, payload = payload))
  }

  #' Calls a function with the payload of each notification of a topic, such as `molecules.library-changed`.
  plugin$subscribe <- function(topic, handler) {
    handlers[[topic]] <<- c(handlers[[topic]], handler)
    invisible(request("subscribe", topic = topic))
  }

  # A call of a command, as its function gets it.
  new_call <- function(id, presentation) {
    call <- list(is_interactive = isTRUE(presentation$interactive))
    call$picture_size <- unlist(presentation$pictureSize)
    checked <- function() if (as.character(id) %in% canceled) stop(.canceled())
    #' Emits a value to the caller.
    call$emit <- function(value) {
      checked()
      notify("emit", id = id, value = value)
    }
    #' Reports the progress; `fraction` is between 0 and 1.
    call$progress <- function(label, fraction = NULL) {
      checked()
      notify("progress", id = id, progress = list(label = label, fraction = fraction))
    }
    #' Reports something noticed while the command runs.
    call$warn <- function(code, message, advice = NULL, line = NULL) {
      notify("warn", id = id, diagnostic = list(severity = "warning", code = code, message = message,
                                                advice = advice, line = line))
    }
    #' Runs a command of any plugin, such as `molecules.info`, and returns what it emitted.
    call$call <- function(command, ...) {
      checked()
      request("call", id = id, command = command, arguments = .as_record(list(...)))
    }
    #' Asks the user for a line of text; NULL if there is no answer.
    call$ask <- function(title, text = "", secret = FALSE) {
      checked()
      prompt <- list(title = title, text = text, isSecret = secret)
      request("ask", id = id, request = list(is = "prompt", prompt = prompt))
    }
    call
  }

  run_command <- function(parameters, id) {
    command <- commands[[parameters$command]]
    arguments <- list()
    for (name in command$parameters) {
      value <- parameters$arguments[[gsub("_", "-", name)]]
      arguments[name] <- list(from_wire(value))
    }
    call <- new_call(id, parameters$presentation)
    result <- do.call(command$run, c(list(call), arguments))
    if (is.null(result)) return(NULL)
    if (!is.null(command$table)) result <- .json(.table(result, command$table))
    call$emit(if (is.null(command$type)) result else typed(command$type, result))
    NULL
  }

  respond <- function(method, parameters, id) {
    switch(method,
      hello = list(protocol = 1, features = as.list(c("ask", "call", "checks", "emit", "notify", "progress", "render",
                                                      "setting", "subscribe", "warn"))),
      call = run_command(parameters, id),
      render = renderers[[parameters$type]](from_wire(parameters$value), parameters$width),
      check = lapply(as.list(checks[[parameters$name]]()), function(problem) {
        list(severity = "error", code = paste0(plugin$id, ".", parameters$name), message = problem)
      }),
      stop(structure(class = c("workbench_unknown", "error", "condition"), list(message = method, call = NULL))))
  }

  handle <- function(message) {
    method <- message$method
    parameters <- message$params
    if (identical(method, "notified")) {
      for (handler in handlers[[parameters$topic]]) {
        tryCatch(handler(from_wire(parameters$payload)), error = function(error) base::message(conditionMessage(error)))
      }
    }
    if (is.null(method) || is.null(message$id)) return(invisible())
    failure <- function(code, text, data = NULL) {
      list(id = message$id, error = list(code = code, message = text, data = data))
    }
    answer <- tryCatch(
      list(id = message$id, result = respond(method, parameters, message$id)),
      workbench_canceled = function(error) failure(-32800, "canceled"),
      workbench_error = function(error) failure(-32000, conditionMessage(error), error$report),
      workbench_unknown = function(error) failure(-32601, paste0("there is no method '", method, "'")),
      error = function(error) {
        call <- deparse(conditionCall(error), nlines = 1)
        base::message(conditionMessage(error), " in ", call)
        failure(-32000, conditionMessage(error))
      })
    canceled <<- setdiff(canceled, as.character(message$id))
    send(answer)
  }

  #' Returns the content of `plugin.json` as a text.
  plugin$manifest <- function() {
    script <- basename(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
    to_wire(c(list(protocol = 1, features = list(), run = list("Rscript", "--no-init-file", script),
                   plugin = list(id = id, name = name, version = version, summary = summary)), manifest))
  }

  #' Serves the host until it closes standard input; with `--manifest`, prints the manifest.
  plugin$run <- function() {
    if (identical(commandArgs(TRUE), "--manifest")) {
      cat(jsonlite::prettify(plugin$manifest(), indent = 2))
      return(invisible())
    }
    # What the plugin prints goes to the log: standard output carries messages only.
    output <<- file("/dev/stdout", "wb")
    sink(stderr())
    input <<- file("stdin", "rb")
    repeat {
      message <- receive()
      if (is.null(message)) break
      handle(message)
    }
  }

  plugin$id <- id
  plugin
}
