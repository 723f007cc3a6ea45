# The calls of Scripts/check-r to the server of the client's tests, and the values of the module for plugins.
source("Sources/Client/R/workbench.R")
wb <- workbench("Tests/PythonClient/fake_server.py")
state <- attr(wb, "state")

# `size` is that of a picture, and no option whose name begins with it is.
sent <- call_command(wb, "sample.echo", "a", size_limit = "5")
stopifnot(identical(sent$options$size_limit, "5"), is.null(sent[["size"]]))
stopifnot(identical(call_command(wb, "sample.echo", size = "3x2")[["size"]], "3x2"))

# A server that reads no further, and then does.
tools::pskill(state$process$get_pid(), tools::SIGSTOP)
system(paste("(sleep 1; kill -CONT", state$process$get_pid(), ") &"))
sent <- call_command(wb, "sample.echo", strrep("x", 1e6))
stopifnot(nchar(sent$arguments) == 1e6, length(state$unsent) == 0)

# A write that an interrupt left half done is completed before the next message.
line <- charToRaw('{"jsonrpc":"2.0","id":1000000,"method":"call","params":{"command":"version"}}\n')
state$unsent <- line[-(1:20)]
state$process$write_input(line[1:20])
stopifnot(identical(call_command(wb, "version")$version, "9"))
close(wb)

source("Sources/PluginSDK/R/workbench_plugin.R")
wire <- function(seconds) to_wire(as.POSIXct(seconds, origin = "1970-01-01", tz = "UTC"))
stopifnot(identical(wire(1700000000.123), '{"$date":"2023-11-14T22:13:20.123Z"}'))
stopifnot(identical(wire(1700000000.9999), '{"$date":"2023-11-14T22:13:21.000Z"}'))
stopifnot(identical(wire(-0.5), '{"$date":"1969-12-31T23:59:59.500Z"}'))
stopifnot(identical(wire(NA_real_), "null"))
stopifnot(identical(to_wire(as.Date("2026-11-28")), '{"$date":"2026-11-28T00:00:00.000Z"}'))
