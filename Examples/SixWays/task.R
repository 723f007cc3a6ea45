# One task over four domains, in R. Argument: the address of a sensor.
source("workbench.R")
sensor <- commandArgs(trailingOnly = TRUE)
wb <- workbench()

molecules <- wb$molecules$list()
large <- molecules[molecules$atoms > 400, ]
writeLines(sprintf("%s: %d atoms", large$title, large$atoms))
structure <- wb$molecules$secondary_structure(2)
writeLines(sprintf("strand A: %s", structure$chains$A))

scenarios <- wb$pathcase$smda("w-glycolysis", page_size = 0)
writeLines(sprintf("%s: %d processes, %s scenarios", scenarios$network, scenarios$processes, scenarios$count))

lab <- wb$openbis$sync()
hits <- wb$openbis$search("kinase")
writeLines(sprintf("lab: %d entities, %d with 'kinase', first %s", lab$entities, nrow(hits), hits$summaryHeader[1]))

person <- wb$wsabi$person_add(first_name = "Ada", last_name = "Lovelace")
item <- wb$wsabi$item_add(person$id, submodality = "RightIndexFlat", sensor = sensor)
capture <- wb$wsabi$capture(item$id)
writeLines(sprintf("%s: %s %s", person$name, item$title, capture$items$outcome[1]))
close(wb)
