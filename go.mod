module crashglass

go 1.26
