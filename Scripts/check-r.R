# The calls of Scripts/check-r: the client, and through it the plugin `counts`.
folder <- commandArgs(TRUE)[1]
source("Sources/Client/R/workbench.R")
heard <- character()
wb <- workbench(options = c("--home", file.path(folder, "home"), "--plugin-dir", file.path(folder, "plugins")),
                on_progress = function(label, fraction) heard <<- c(heard, label))
failure <- function(code) tryCatch(code, workbench_error = function(error) error$code)

stopifnot(nzchar(call_command(wb, "version")$version))
molecules <- wb$molecules$list()
stopifnot(is.data.frame(molecules), nrow(molecules) > 0, is.numeric(molecules$atoms))
stopifnot(wb$molecules$info(molecules$id[1])$atoms == molecules$atoms[1])
stopifnot(identical(failure(wb$molecules$info("nope")), "molecules.unknown-molecule"))
save_picture(wb$molecules$render(1, size = "40x30"), file.path(folder, "a.png"))
stopifnot(identical(readBin(file.path(folder, "a.png"), "raw", 4), as.raw(c(0x89, 0x50, 0x4e, 0x47))))

text <- file.path(folder, "text.txt")
words <- wb$counts$words(text)
stopifnot(identical(words$word, c("b", "a")), identical(words$count, 2:1))
stopifnot(nrow(wb$counts$words(text, least = 2)) == 1)
stopifnot(identical(failure(wb$counts$words("missing.txt")), "counts.unreadable"))
stopifnot(identical(failure(wb$counts$stumble()), "host.plugin-threw"))
kinds <- wb$counts$kinds()
stopifnot(identical(kinds$third, 1 / 3), identical(kinds$bytes, paste0(strrep("AQIBAgEC", 13), "AQI=")), kinds$record$a == 1e20)
stopifnot(identical(kinds$date, "2026-11-20T06:30:00Z"), length(kinds$nothing) == 0, identical(kinds$many, 1:2))
stopifnot(identical(wb$counts$stream(number = 4)$index, 1:4), "counting" %in% heard)
first <- withCallingHandlers(wb$counts$first(text), warning = function(warning) {
  stopifnot(conditionMessage(warning) == "this is a note")
  invokeRestart("muffleWarning")
})
stopifnot(first$words == 2, first$first == "b", first$unit == "metre")
close(wb)
stopifnot(inherits(try(wb$molecules$list(), silent = TRUE), "try-error"))
