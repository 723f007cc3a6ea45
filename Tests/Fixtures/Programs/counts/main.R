script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "workbench_plugin.R"))

plugin <- new_plugin("counts", "Counts", "1.0.0", "Counts words of text files")

plugin$command(
  "words", "Count the words of a file", table = list(word = "text", count = "integer"),
  parameters = list(file = input_file("Text file", "txt"), least = integer_value("Smallest count", default = 1)),
  examples = list("words text.txt" = "Count words"),
  run = function(call, file, least) {
    if (!file.exists(file)) fail("counts.unreadable", paste0("cannot read '", file, "'"), kind = "notFound")
    counts <- sort(table(scan(file, "", quiet = TRUE)), decreasing = TRUE)
    frame <- data.frame(word = names(counts), count = as.integer(counts))
    frame[frame$count >= least, ]
  })

plugin$command("kinds", "Emit values of all kinds", run = function(call) {
  print("printed text")
  list(date = as.POSIXct("2026-11-20 06:30:00", tz = "UTC"), bytes = as.raw(rep(1:2, 40)), third = 1 / 3, none = NULL,
       list = list(1L, 2.5, "\u00e9\n\"", TRUE, NA), many = c(1, 2), nothing = list(), record = list(a = 1e20))
})

plugin$command("stream", "Emit values until canceled", stream = TRUE,
  parameters = list(number = integer_value("Values", default = 3)),
  run = function(call, number) {
    for (index in seq_len(number)) {
      call$progress("counting", index / number)
      call$emit(list(index = index))
    }
  })

plugin$command("first", "Call another command", parameters = list(file = input_file("Text file")),
  run = function(call, file) {
    call$warn("counts.note", "this is a note")
    rows <- call$call("counts.words", file = file)
    list(words = nrow(rows), first = rows$word[1], unit = plugin$get("unit"))
  })

plugin$command("sketch", "Draw a picture", picture = TRUE, run = function(call) {
  size <- if (is.null(call$picture_size)) c(4, 2) else call$picture_size
  picture(size[1], size[2], rep(as.raw(c(0, 0, 255, 255)), prod(size)))
})

plugin$command("stumble", "End with an error of R", run = function(call) log(-1:0 + "a"))

plugin$command("shape", "Emit a value with a renderer", type = "counts.shape", run = function(call) list(sides = 4))
plugin$renderer("counts.shape", function(value, width) paste0("<", value$sides, " sides>"))
plugin$check("ink", "The ink", function() "the ink is low")
plugin$setting("unit", text_value("Unit of lengths", default = "metre"))
plugin$error("counts.unreadable", "a file cannot be read")

plugin$run()
